import type { PDFDocumentProxy } from 'pdfjs-dist'
import { useEffect, useRef, useState } from 'react'
import { m } from '../../paraglide/messages.js'
import { drawPage, findPage, releaseCanvas, type Turn } from './draw-page.ts'
import type { PageSize } from './page-flow.ts'

/** Pages that are only passed while scrolling are not drawn. Milliseconds. */
const PASSING_MS = 60

export interface DrawnPageProps {
  pdf: PDFDocumentProxy
  /** Counts from 0. */
  index: number
  box: PageSize
  turn: Turn
}

/** The picture of one page. What was drawn before stays, stretched, until the new picture is there. */
export function DrawnPage({ pdf, index, box: { width, height }, turn }: DrawnPageProps) {
  const host = useRef<HTMLDivElement>(null)
  const [hasFailed, setHasFailed] = useState(false)

  useEffect(() => {
    const stop = new AbortController()
    async function draw() {
      const page = await findPage(pdf, index)
      if (stop.signal.aborted) return
      const canvas = await drawPage(page, { width, height }, turn, stop.signal)
      if (!canvas) return
      canvas.className = 'size-full'
      const old = host.current?.querySelector('canvas')
      host.current?.append(canvas)
      if (old) releaseCanvas(old)
      setHasFailed(false)
    }
    const timer = setTimeout(() => {
      draw().catch(() => {
        if (!stop.signal.aborted) setHasFailed(true)
      })
    }, PASSING_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [pdf, index, width, height, turn])

  useEffect(() => {
    const stage = host.current
    return () => {
      for (const canvas of stage?.querySelectorAll('canvas') ?? []) releaseCanvas(canvas)
    }
  }, [])

  return (
    <div ref={host} aria-hidden={!hasFailed} className="size-full">
      {hasFailed && <p className="p-6 text-center">{m.reader_page_failed()}</p>}
    </div>
  )
}
