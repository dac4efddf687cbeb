import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { joinClasses } from './class-names.ts'

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  icon: LucideIcon
  /** Name for screen readers, and the tooltip. */
  label: string
  framed?: boolean
  /** The work it started is running: it keeps the focus but cannot be pressed meanwhile. */
  busy?: boolean
}

export function IconButton({
  icon: Icon,
  label,
  framed = true,
  busy = false,
  type = 'button',
  className,
  onClick,
  ...props
}: IconButtonProps) {
  return (
    <button
      {...props}
      type={type}
      {...(busy && { 'aria-disabled': true, 'aria-busy': true })}
      onClick={busy ? undefined : onClick}
      aria-label={label}
      title={label}
      className={joinClasses(
        'inline-flex size-9.5 shrink-0 items-center justify-center rounded-control transition-colors disabled:opacity-50 aria-disabled:cursor-progress aria-disabled:opacity-50',
        framed ? 'border border-line bg-sheet hover:border-line-strong' : 'hover:bg-sunk',
        className,
      )}
    >
      <Icon aria-hidden size={17} strokeWidth={1.8} />
    </button>
  )
}
