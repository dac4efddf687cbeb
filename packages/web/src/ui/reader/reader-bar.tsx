import type { LucideIcon } from 'lucide-react'
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { m } from '../../paraglide/messages.js'
import { joinClasses } from '../class-names.ts'

/** The row of tools: one stop for Tab, the arrows move within it (ARIA Authoring Practices, toolbar). */
export function ReaderBar({ children }: { children: ReactNode }) {
  const bar = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState(0)

  // After every drawing: tools come and go.
  useEffect(() => {
    const tools = listTools(bar.current)
    const stop = Math.min(active, tools.length - 1)
    tools.forEach((tool, i) => (tool.tabIndex = i === stop ? 0 : -1))
  })

  function handleKey(event: KeyboardEvent) {
    const tools = listTools(bar.current)
    const at = tools.indexOf(document.activeElement as HTMLElement)
    const by = readStep(event)
    if (at < 0 || by === 0) return
    event.preventDefault()
    tools[(at + by + tools.length) % tools.length]?.focus()
  }

  return (
    <div
      ref={bar}
      role="toolbar"
      tabIndex={-1}
      aria-label={m.reader_tools()}
      onKeyDown={handleKey}
      onFocus={({ target }) => {
        const at = listTools(bar.current).indexOf(target)
        if (at >= 0) setActive(at)
      }}
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-sheet px-2 py-1.5 max-sm:gap-x-1.5"
    >
      {children}
    </div>
  )
}

function listTools(bar: HTMLElement | null): HTMLElement[] {
  return [...(bar?.querySelectorAll<HTMLElement>('button, input') ?? [])]
}

/** By how many tools a key moves; in a field only from the end of its text. */
function readStep({ key, target, currentTarget }: KeyboardEvent): -1 | 0 | 1 {
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return 0
  if (target instanceof HTMLInputElement) {
    const edge = key === 'ArrowLeft' ? target.selectionStart === 0 : target.selectionEnd === target.value.length
    if (!edge) return 0
  }
  const isForward = (key === 'ArrowRight') === (getComputedStyle(currentTarget).direction === 'ltr')
  return isForward ? 1 : -1
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
  /** Keeps the focus all the same, so that nobody is thrown out of the row. */
  disabled?: boolean
  onClick: () => void
}

export function Tool({ icon: Icon, label, keys, pressed, disabled = false, onClick }: ToolProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      aria-keyshortcuts={keys}
      aria-disabled={disabled || undefined}
      onClick={disabled ? undefined : onClick}
      className={joinClasses(
        'inline-flex size-8.5 items-center justify-center rounded-control transition-colors aria-disabled:cursor-not-allowed aria-disabled:opacity-45',
        pressed ? 'bg-brand-wash text-brand' : 'hover:bg-sunk',
      )}
    >
      <Icon aria-hidden size={17} strokeWidth={1.8} />
    </button>
  )
}
