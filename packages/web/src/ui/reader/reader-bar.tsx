import { Toolbar } from '@base-ui/react/toolbar'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { m } from '../../paraglide/messages.js'
import { joinClasses } from '../class-names.ts'

/** The row of tools; one stop for Tab, arrows move within it. */
export function ReaderBar({ children }: { children: ReactNode }) {
  return (
    <Toolbar.Root
      aria-label={m.reader_tools()}
      className="flex flex-wrap items-center gap-x-3 gap-y-1 max-sm:gap-x-1.5 border-b border-line bg-sheet px-2 py-1.5"
    >
      {children}
    </Toolbar.Root>
  )
}

export function ToolGroup({ children, className }: { children: ReactNode; className?: string }) {
  return <div className={joinClasses('flex items-center gap-0.5', className)}>{children}</div>
}

export interface ToolProps {
  icon: LucideIcon
  label: string
  /** Keys that do the same, for people who cannot see the tooltip. */
  keys?: string
  /** For tools that are on or off. */
  pressed?: boolean
  disabled?: boolean
  onClick: () => void
}

export function Tool({ icon: Icon, label, keys, pressed, disabled = false, onClick }: ToolProps) {
  return (
    <Toolbar.Button
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      aria-keyshortcuts={keys}
      disabled={disabled}
      onClick={onClick}
      className={joinClasses(
        'inline-flex size-8.5 items-center justify-center rounded-control transition-colors aria-disabled:opacity-45 data-disabled:opacity-45',
        pressed ? 'bg-brand-wash text-brand' : 'hover:bg-sunk',
      )}
    >
      <Icon aria-hidden size={17} strokeWidth={1.8} />
    </Toolbar.Button>
  )
}
