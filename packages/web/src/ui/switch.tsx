import { joinClasses } from './class-names.ts'
import { Spinner } from './spinner.tsx'

export interface SwitchProps {
  /** Name for screen readers; the column or the words beside it say it to the eye. */
  label: string
  checked: boolean
  onToggle: () => void
  /** Its change is on the way: it keeps the focus but cannot be turned meanwhile. */
  busy?: boolean
  disabled?: boolean
  /** Why it cannot be turned. */
  hint?: string | undefined
}

/** On or off, with effect at once. */
export function Switch({ label, checked, onToggle, busy = false, disabled = false, hint }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      aria-label={label}
      aria-busy={busy || undefined}
      title={hint}
      disabled={disabled}
      onClick={() => !busy && onToggle()}
      className={joinClasses(
        'inline-flex h-6.5 align-middle w-11 shrink-0 items-center rounded-full border p-0.5 transition-colors disabled:cursor-not-allowed disabled:opacity-50',
        checked ? 'border-brand bg-brand text-on-brand' : 'border-line-strong bg-sunk text-ink-2',
      )}
    >
      <span
        aria-hidden
        className={joinClasses(
          'flex size-5 items-center justify-center rounded-full transition-transform [&>span]:size-3.5',
          checked ? 'translate-x-4.5 bg-sheet text-brand rtl:-translate-x-4.5' : 'bg-line-strong text-sheet',
        )}
      >
        {busy && <Spinner />}
      </span>
    </button>
  )
}
