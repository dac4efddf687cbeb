import type { PDFDocumentProxy } from 'pdfjs-dist'
import { useEffect, useState } from 'react'
import { m } from '../../paraglide/messages.js'
import { findPage, viewPage, type Turn } from './draw-page.ts'

/** A link within the document; its place is in percent of the page. */
interface InnerLink {
  id: string
  target: unknown
  top: number
  start: number
  width: number
  height: number
}

export interface PageLinksProps {
  pdf: PDFDocumentProxy
  /** Counts from 0. */
  index: number
  turn: Turn
  onPage: (index: number) => void
}

/**
 * Links to other pages of the same document. Links that lead out of it are not followed: whoever made the document chose
 * where to, and the reader is no place to be led away from. Their text can be copied.
 */
export function PageLinks({ pdf, index, turn, onPage }: PageLinksProps) {
  const [links, setLinks] = useState<InnerLink[]>([])
  useEffect(() => {
    let isOver = false
    listLinks(pdf, index, turn)
      .then((found) => isOver || setLinks(found))
      // A page without its links can still be read.
      .catch(() => {})
    return () => {
      isOver = true
    }
  }, [pdf, index, turn])
  return links.map(({ id, target, top, start, width, height }) => (
    <button
      key={id}
      type="button"
      aria-label={m.reader_inner_link()}
      className="absolute z-10 rounded-sm hover:bg-brand/10"
      style={{ top: `${top}%`, insetInlineStart: `${start}%`, width: `${width}%`, height: `${height}%` }}
      onClick={() => {
        findTarget(pdf, target).then(
          (found) => found !== undefined && onPage(found),
          () => {},
        )
      }}
    />
  ))
}

async function listLinks(pdf: PDFDocumentProxy, index: number, turn: Turn): Promise<InnerLink[]> {
  const page = await findPage(pdf, index)
  const view = viewPage(page, 1, turn)
  const annotations = (await page.getAnnotations()) as { id: string; subtype: string; dest?: unknown; rect: number[] }[]
  return annotations.flatMap(({ id, subtype, dest, rect }) => {
    if (subtype !== 'Link' || !dest) return []
    const [left = 0, bottom = 0, right = 0, top = 0] = rect
    const [x1 = 0, y1 = 0] = view.convertToViewportPoint(left, bottom) as number[]
    const [x2 = 0, y2 = 0] = view.convertToViewportPoint(right, top) as number[]
    return {
      id,
      target: dest,
      top: (100 * Math.min(y1, y2)) / view.height,
      start: (100 * Math.min(x1, x2)) / view.width,
      width: (100 * Math.abs(x2 - x1)) / view.width,
      height: (100 * Math.abs(y2 - y1)) / view.height,
    }
  })
}

/** A destination is a name, or a list that begins with a page (ISO 32000-2, 12.3.2). */
async function findTarget(pdf: PDFDocumentProxy, target: unknown): Promise<number | undefined> {
  const place: unknown = typeof target === 'string' ? await pdf.getDestination(target) : target
  const page: unknown = Array.isArray(place) ? place[0] : undefined
  if (typeof page === 'number') return page
  return typeof page === 'object' && page !== null ? pdf.getPageIndex(page as { num: number; gen: number }) : undefined
}
