import { TextLayer, type PDFDocumentProxy } from 'pdfjs-dist'
import { useEffect, useRef, useState } from 'react'
import { PIXELS_PER_POINT, findPage, viewPage, type Turn } from './draw-page.ts'
import type { Match } from './find-text.ts'

export interface PageTextProps {
  pdf: PDFDocumentProxy
  /** Counts from 0. */
  index: number
  scale: number
  turn: Turn
  /** On this page. */
  matches: readonly Match[]
  current: Match | undefined
  /** Told where the current match stands, as shares of the page's height and width. */
  onCurrent: (match: Match, share: { down: number; across: number }) => void
}

/** A stretch of marked text, in percent of the page. */
interface Mark {
  match: Match
  top: number
  start: number
  width: number
  height: number
}

/** Both in percent of the page. */
const SAME_LINE = 0.2
const TOUCHING = 0.3

/** The text of one page, unseen above its picture, to be selected, read out and found. */
export function PageText({ pdf, index, scale, turn, matches, current, onCurrent }: PageTextProps) {
  const layer = useRef<HTMLDivElement>(null)
  const [runs, setRuns] = useState<HTMLElement[]>()
  const [unit, setUnit] = useState(1)
  const [marks, setMarks] = useState<Mark[]>([])

  useEffect(() => {
    const container = layer.current
    let text: TextLayer | undefined
    let isOver = false
    async function write() {
      const page = await findPage(pdf, index)
      if (isOver || !container) return
      const content = await page.getTextContent({ disableNormalization: true })
      if (isOver) return
      text = new TextLayer({ textContentSource: content, container, viewport: viewPage(page, 1, turn) })
      await text.render()
      if (isOver) return
      setUnit(page.userUnit)
      setRuns(text.textDivs)
    }
    // A page whose text cannot be read is still a picture.
    write().catch(() => {})
    return () => {
      isOver = true
      text?.cancel()
      container?.replaceChildren()
    }
  }, [pdf, index, turn])

  useEffect(() => {
    const page = layer.current?.parentElement
    const found = page && runs ? matches.flatMap((match) => measureMatch(match, runs, page)) : []
    setMarks(found)
    const mark = found.find(({ match }) => match === current)
    if (mark) onCurrent(mark.match, { down: mark.top / 100, across: mark.start / 100 })
    // Marks are shares of the page, so zooming moves none of them.
  }, [matches, current, runs, onCurrent])

  return (
    <>
      {marks.map(({ match, top, start, width, height }, i) => (
        <div
          key={i}
          aria-hidden
          data-current={match === current || undefined}
          className="reader-mark"
          style={{ top: `${top}%`, insetInlineStart: `${start}%`, width: `${width}%`, height: `${height}%` }}
        />
      ))}
      <div
        ref={layer}
        className="reader-text"
        style={{ '--total-scale-factor': scale * PIXELS_PER_POINT * unit } as React.CSSProperties}
      />
    </>
  )
}

function measureMatch(match: Match, runs: readonly HTMLElement[], page: HTMLElement): Mark[] {
  const frame = page.getBoundingClientRect()
  if (frame.width === 0) return []
  const marks = match.parts.flatMap(({ run, start, end }) => {
    const text = runs[run]?.firstChild
    if (!text) return []
    const range = document.createRange()
    const { length } = text.textContent ?? ''
    range.setStart(text, Math.min(start, length))
    range.setEnd(text, Math.min(end, length))
    return Array.from(range.getClientRects(), (rect) => ({
      match,
      top: (100 * (rect.top - frame.top)) / frame.height,
      start: (100 * (rect.left - frame.left)) / frame.width,
      width: (100 * rect.width) / frame.width,
      height: (100 * rect.height) / frame.height,
    }))
  })
  return joinMarks(marks)
}

/** What touches on one line becomes one mark: a word may be drawn in as many pieces as it has letters. */
function joinMarks(marks: readonly Mark[]): Mark[] {
  const lines: Mark[][] = []
  for (const mark of marks) {
    const line = lines.find(([first]) => first && isOnLine(mark, first))
    if (line) line.push(mark)
    else lines.push([mark])
  }
  return lines.flatMap((line) => {
    const joined: Mark[] = []
    for (const mark of line.toSorted((a, b) => a.start - b.start)) {
      const before = joined.at(-1)
      if (!before || mark.start > before.start + before.width + TOUCHING) joined.push({ ...mark })
      else before.width = Math.max(before.width, mark.start + mark.width - before.start)
    }
    return joined
  })
}

function isOnLine(mark: Mark, first: Mark): boolean {
  return Math.abs(mark.top - first.top) < SAME_LINE && Math.abs(mark.height - first.height) < SAME_LINE
}
