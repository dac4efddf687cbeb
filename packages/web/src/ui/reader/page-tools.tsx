import { ChevronDown, ChevronUp } from 'lucide-react'
import { useState } from 'react'
import { m } from '../../paraglide/messages.js'
import { Tool, ToolGroup } from './reader-bar.tsx'

export interface PageToolsProps {
  /** Index of the page one reads. */
  current: number
  pages: number
  onPage: (index: number) => void
}

/** The number of the page one reads, which is also the way to another one. */
export function PageTools({ current, pages, onPage }: PageToolsProps) {
  const [typed, setTyped] = useState<string>()

  function finish() {
    const page = Number(typed)
    setTyped(undefined)
    if (typed !== undefined && Number.isInteger(page) && page >= 1) onPage(Math.min(page, pages) - 1)
  }

  return (
    <ToolGroup>
      <Tool
        icon={ChevronUp}
        label={m.reader_page_previous()}
        keys="PageUp"
        disabled={current === 0}
        onClick={() => onPage(current - 1)}
      />
      <input
        type="text"
        aria-label={m.reader_page_field()}
        inputMode="numeric"
        value={typed ?? String(current + 1)}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onChange={({ currentTarget }) => setTyped(currentTarget.value.replace(/\D/g, '').slice(0, 5))}
        onKeyDown={(event) => event.key === 'Enter' && finish()}
        onBlur={finish}
        className="h-8.5 w-12 rounded-control border border-line-strong bg-sheet text-center tabular-nums"
      />
      <span className="px-1 text-sm whitespace-nowrap text-ink-2 tabular-nums">{m.reader_page_of({ pages })}</span>
      <Tool
        icon={ChevronDown}
        label={m.reader_page_next()}
        keys="PageDown"
        disabled={current >= pages - 1}
        onClick={() => onPage(current + 1)}
      />
    </ToolGroup>
  )
}
