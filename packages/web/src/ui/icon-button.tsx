import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { joinClasses } from './class-names.ts'

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  icon: LucideIcon
  /** Name for screen readers, and the tooltip. */
  label: string
  framed?: boolean
}

export function IconButton({
  icon: Icon,
  label,
  framed = true,
  type = 'button',
  className,
  ...props
}: IconButtonProps) {
  return (
    <button
      {...props}
      type={type}
      aria-label={label}
      title={label}
      className={joinClasses(
        'inline-flex size-9.5 shrink-0 items-center justify-center rounded-control transition-colors disabled:opacity-50',
        framed ? 'border border-line bg-sheet hover:border-line-strong' : 'hover:bg-sunk',
        className,
      )}
    >
      <Icon aria-hidden size={17} strokeWidth={1.8} />
    </button>
  )
}
