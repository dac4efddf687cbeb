// No element of HTML is a listbox that a text field leads.
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import type { LucideIcon } from 'lucide-react'
import { useId, type ReactNode } from 'react'

export interface PaletteEntry {
  to: string
  icon: LucideIcon
  word: ReactNode
  /** At the end of its line. */
  mark?: ReactNode
}

export interface PaletteGroupProps {
  /** Of the whole list; the entries' own ids begin with it. */
  id: string
  title: string
  entries: PaletteEntry[]
  /** Place of the first entry in the whole list. */
  from: number
  /** Place of the chosen entry in the whole list. */
  chosen: number
  onGo: (entry: PaletteEntry) => void
  onPoint: (entry: PaletteEntry) => void
}

/** Entries of one kind under their heading; nothing without entries. */
export function PaletteGroup({ id, title, entries, from, chosen, onGo, onPoint }: PaletteGroupProps) {
  const titleId = useId()
  if (entries.length === 0) return null
  return (
    <div role="group" aria-labelledby={titleId} className="not-first:mt-2">
      <p id={titleId} className="px-2.5 py-1.5 text-xs font-semibold text-ink-2">
        {title}
      </p>
      {entries.map((entry, index) => (
        // The keys are the field's: it keeps the focus and names the chosen entry.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
        <div
          key={entry.to}
          id={`${id}-${from + index}`}
          role="option"
          aria-selected={from + index === chosen}
          onClick={() => onGo(entry)}
          onPointerMove={() => onPoint(entry)}
          className="flex min-h-10 cursor-pointer items-center gap-3 rounded-md px-2.5 py-1.5 aria-selected:bg-brand-wash"
        >
          <entry.icon aria-hidden size={17} strokeWidth={1.8} className="shrink-0 text-ink-2" />
          <span className="line-clamp-2 min-w-0 grow">{entry.word}</span>
          {entry.mark}
        </div>
      ))}
    </div>
  )
}
