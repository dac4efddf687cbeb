import type { PDFDocumentProxy } from 'pdfjs-dist'
import { m } from '../../paraglide/messages.js'
import { DrawnPage } from './drawn-page.tsx'
import type { Turn } from './draw-page.ts'
import type { Match } from './find-text.ts'
import type { PageBox } from './page-flow.ts'
import { PageLinks } from './page-links.tsx'
import { PageText } from './page-text.tsx'

export interface PageSheetProps {
  pdf: PDFDocumentProxy
  /** Counts from 0. */
  index: number
  box: PageBox
  scale: number
  turn: Turn
  matches: readonly Match[]
  current: Match | undefined
  onCurrent: (match: Match, share: { down: number; across: number }) => void
  onPage: (index: number) => void
}

/** One page: its picture, its text above it, marks where something was found, links within the document. */
export function PageSheet({ pdf, index, box, scale, turn, matches, current, onCurrent, onPage }: PageSheetProps) {
  return (
    <article
      aria-label={m.reader_page_named({ page: index + 1, pages: pdf.numPages })}
      data-page={index + 1}
      className="reader-paper absolute shadow-sheet"
      style={{
        insetBlockStart: box.top,
        insetInlineStart: `calc(50% - ${box.width / 2}px)`,
        width: box.width,
        height: box.height,
      }}
    >
      <DrawnPage pdf={pdf} index={index} box={box} turn={turn} />
      <PageText
        pdf={pdf}
        index={index}
        scale={scale}
        turn={turn}
        matches={matches}
        current={current}
        onCurrent={onCurrent}
      />
      <PageLinks pdf={pdf} index={index} turn={turn} onPage={onPage} />
    </article>
  )
}
