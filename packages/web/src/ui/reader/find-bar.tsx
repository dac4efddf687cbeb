import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { m } from '../../paraglide/messages.js'
import { IconButton } from '../icon-button.tsx'
import type { Find } from './use-find.ts'

export interface FindBarProps {
  find: Find
  onClose: () => void
}

/** Enter goes to the next place, Shift and Enter to the one before, Escape closes. */
export function FindBar({ find, onClose }: FindBarProps) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    field.current?.focus()
    field.current?.select()
  }, [])
  const isEmpty = find.matches.length === 0
  return (
    <search className="flex flex-wrap items-center gap-2 border-b border-line bg-paper px-2 py-1.5">
      <input
        ref={field}
        type="text"
        inputMode="search"
        aria-label={m.reader_find_field()}
        placeholder={m.reader_find_field()}
        value={find.query}
        onChange={({ target }) => find.setQuery(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          find.step(event.shiftKey ? -1 : 1)
        }}
        className="h-8.5 min-w-0 grow basis-24 rounded-control border border-line-strong bg-sheet px-2.5 placeholder:text-ink-2 sm:max-w-80"
      />
      <output className="min-w-14 text-sm text-ink-2 tabular-nums">{sayFound(find)}</output>
      <div className="ms-auto flex gap-0.5">
        <IconButton
          icon={ChevronUp}
          framed={false}
          label={m.reader_find_previous()}
          disabled={isEmpty}
          onClick={() => find.step(-1)}
        />
        <IconButton
          icon={ChevronDown}
          framed={false}
          label={m.reader_find_next()}
          disabled={isEmpty}
          onClick={() => find.step(1)}
        />
        <IconButton icon={X} framed={false} label={m.reader_find_close()} onClick={onClose} />
      </div>
    </search>
  )
}

function sayFound({ query, matches, current, isDone }: Find): string {
  if (query.trim() === '') return ''
  if (matches.length === 0) return isDone ? m.reader_find_nothing() : m.reader_find_running()
  return m.reader_find_place({ place: (current ?? 0) + 1, count: isDone ? matches.length : `${matches.length}+` })
}
