import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useRef, useState, type ReactNode } from 'react'
import { useShortcut } from '../lib/use-shortcut.ts'
import { m } from '../paraglide/messages.js'
import { IconButton } from './icon-button.tsx'

/** One of the documents on a desk. */
export interface DeskDocument {
  id: number
  title: string
  file_name: string
}

export interface DocumentDeskFrameProps {
  documents: readonly DeskDocument[] | undefined
  /** Which one is looked at. */
  place: number
  onChoose: (id: number) => void
  /** What is looked at. @param takesFocus Whether it was chosen by keys. */
  children: (takesFocus: boolean) => ReactNode
}

/** Documents in the page, and the way from one to the other. */
export function DocumentDeskFrame({ documents, place, onChoose, children }: DocumentDeskFrameProps) {
  function step(by: 1 | -1) {
    const next = documents?.[place + by]
    if (next) onChoose(next.id)
  }

  // Who works by keys reads on by keys: the document that comes takes the focus.
  const desk = useRef<HTMLElement>(null)
  const [takesFocus, setTakesFocus] = useState(false)
  function stepByKey(by: 1 | -1) {
    setTakesFocus(true)
    step(by)
  }
  useShortcut('pagedown', () => stepByKey(1))
  useShortcut('pageup', () => stepByKey(-1))
  useShortcut('o', () => desk.current?.querySelector<HTMLElement>('section[tabindex]')?.focus())

  return (
    <section
      ref={desk}
      aria-label={m.desk_documents()}
      aria-keyshortcuts="Alt+O"
      className="sheet flex h-[min(85dvh,52rem)] min-h-120 flex-col overflow-hidden xl:h-[max(34rem,calc(100dvh-7rem))]"
    >
      {documents && documents.length > 1 && (
        <div className="flex items-center gap-2 border-b border-line px-2 py-2">
          <IconButton
            icon={ChevronLeft}
            label={m.desk_document_previous()}
            aria-keyshortcuts="Alt+PageUp"
            disabled={place === 0}
            onClick={() => step(-1)}
            className="rtl:-scale-x-100"
          />
          <select
            aria-label={m.desk_document_choose()}
            value={documents[place]?.id}
            onChange={({ target }) => onChoose(Number(target.value))}
            className="min-h-9.5 min-w-0 grow rounded-control border border-line-strong bg-sheet px-2.5 font-[560]"
          >
            {documents.map(({ id, title, file_name: file }, i) => (
              <option key={id} value={id}>
                {m.desk_document_option({ place: i + 1, title, file })}
              </option>
            ))}
          </select>
          <span className="text-sm whitespace-nowrap text-ink-2 tabular-nums">
            {m.desk_document_place({ place: place + 1, count: documents.length })}
          </span>
          <IconButton
            icon={ChevronRight}
            label={m.desk_document_next()}
            aria-keyshortcuts="Alt+PageDown"
            disabled={place === documents.length - 1}
            onClick={() => step(1)}
            className="rtl:-scale-x-100"
          />
        </div>
      )}
      <div className="flex min-h-0 grow flex-col bg-sunk">{children(takesFocus)}</div>
    </section>
  )
}
