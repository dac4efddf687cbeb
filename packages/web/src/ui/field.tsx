import { CircleAlert } from 'lucide-react'
import { useId, type ReactNode } from 'react'

/** Spread these on the control, so that label, hint and error belong to it. */
export interface ControlProps {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

export interface FieldFrame {
  label: ReactNode
  hint?: ReactNode
  /** Words to show; the field counts as faulty while they are there. */
  error?: string | undefined
  /** Keeps the label for screen readers only. */
  labelHidden?: boolean
}

export function Field({
  label,
  hint,
  error,
  labelHidden,
  children,
}: FieldFrame & { children: (control: ControlProps) => ReactNode }) {
  const id = useId()
  const described = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ')
  return (
    <div className="grid content-start gap-1.5">
      <label htmlFor={id} className={labelHidden ? 'sr-only' : 'text-[0.933rem] font-[560]'}>
        {label}
      </label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined })}
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-ink-2">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="flex gap-1.5 text-sm whitespace-pre-line text-seal">
          <CircleAlert aria-hidden size={15} className="mt-0.5 shrink-0" />
          {error}
        </p>
      )}
    </div>
  )
}

export const CONTROL =
  'min-h-10 w-full rounded-control border border-line-strong bg-sheet px-3 text-ink placeholder:text-ink-2 aria-invalid:border-seal disabled:bg-sunk disabled:text-ink-2'
