import type { PDFDocumentProxy } from 'pdfjs-dist'
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { m } from '../../paraglide/messages.js'
import { joinClasses } from '../class-names.ts'
import type { Turn } from './draw-page.ts'
import { DrawnPage } from './drawn-page.tsx'
import { findDrawn, layOutPages, type PageSize } from './page-flow.ts'
import { useArea } from './use-area.ts'

/** CSS pixels. */
const WIDTH = 92
/** Room for the number under each, and for the frame. */
const EXTRA = 28

export interface ThumbnailPanelProps {
  pdf: PDFDocumentProxy
  sizes: readonly PageSize[]
  turn: Turn
  /** Index of the page one reads. */
  current: number
  onPage: (index: number) => void
}

/** Small pictures of all pages; those out of sight are not there. One of them takes the focus, arrows move it. */
export function ThumbnailPanel({ pdf, sizes, turn, current, onPage }: ThumbnailPanelProps) {
  const scroller = useRef<HTMLElement>(null)
  const area = useArea(scroller)
  const [top, setTop] = useState(0)
  const flow = useMemo(
    () =>
      layOutPages(
        sizes.map(({ width, height }) => ({ width: WIDTH, height: (WIDTH * height) / width + EXTRA })),
        1,
      ),
    [sizes],
  )
  const [first, last] = findDrawn(flow, top, area.height, 1)

  useEffect(() => {
    const element = scroller.current
    const box = flow.boxes[current]
    if (!element || !box || area.height === 0) return
    if (box.top < element.scrollTop) element.scrollTop = box.top
    else if (box.top + box.height > element.scrollTop + area.height)
      element.scrollTop = box.top + box.height - area.height
  }, [flow, current, area.height])

  function handleKey(event: KeyboardEvent) {
    const next = nextOf(event.key, current, sizes.length - 1)
    if (next === undefined) return
    event.preventDefault()
    event.stopPropagation()
    onPage(next)
  }

  // The page that has the focus may have been drawn anew, or only now.
  const [hasFocus, setHasFocus] = useState(false)
  useEffect(() => {
    if (hasFocus)
      scroller.current?.querySelector<HTMLElement>(`[data-thumbnail="${current}"]`)?.focus({ preventScroll: true })
  }, [hasFocus, current])

  const drawn = new Set(Array.from({ length: last - first + 1 }, (_, i) => first + i)).add(current)
  return (
    // The keys belong to the buttons in it, of which only some are there.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <nav
      ref={scroller}
      aria-label={m.reader_thumbnails()}
      onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
      onKeyDown={handleKey}
      onFocus={() => setHasFocus(true)}
      onBlur={({ currentTarget, relatedTarget }) => currentTarget.contains(relatedTarget) || setHasFocus(false)}
      className="w-32 shrink-0 overflow-y-auto border-e border-line bg-sheet"
    >
      <ol className="relative" style={{ height: flow.height }}>
        {[...drawn]
          .sort((a, b) => a - b)
          .map((index) => {
            const box = flow.boxes[index]
            if (!box) return null
            const isCurrent = index === current
            return (
              <li key={index} className="absolute inset-x-0 flex justify-center" style={{ insetBlockStart: box.top }}>
                <button
                  type="button"
                  tabIndex={isCurrent ? 0 : -1}
                  data-thumbnail={index}
                  aria-current={isCurrent ? 'page' : undefined}
                  aria-label={m.reader_page_named({ page: index + 1, pages: sizes.length })}
                  onClick={() => onPage(index)}
                  className="grid justify-items-center gap-1 rounded-md text-xs tabular-nums"
                >
                  <span
                    className={joinClasses(
                      'reader-paper block overflow-hidden border',
                      isCurrent ? 'border-transparent outline-2 outline-brand' : 'border-line-strong',
                    )}
                    style={{ width: WIDTH, height: box.height - EXTRA }}
                  >
                    <DrawnPage pdf={pdf} index={index} box={{ width: WIDTH, height: box.height - EXTRA }} turn={turn} />
                  </span>
                  <span aria-hidden className={isCurrent ? 'font-semibold' : 'text-ink-2'}>
                    {index + 1}
                  </span>
                </button>
              </li>
            )
          })}
      </ol>
    </nav>
  )
}

function nextOf(key: string, current: number, last: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
    case 'ArrowRight':
      return Math.min(last, current + 1)
    case 'ArrowUp':
    case 'ArrowLeft':
      return Math.max(0, current - 1)
    case 'Home':
      return 0
    case 'End':
      return last
    default:
      return undefined
  }
}
