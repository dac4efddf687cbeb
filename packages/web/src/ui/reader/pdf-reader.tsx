import { PanelLeft, Search } from 'lucide-react'
import type { PDFDocumentProxy } from 'pdfjs-dist'
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import { m } from '../../paraglide/messages.js'
import { LoadingArea } from '../spinner.tsx'
import { turnOn, type Turn } from './draw-page.ts'
import { FindBar } from './find-bar.tsx'
import { groupByPage, type Match } from './find-text.ts'
import { findDrawn, layOutPages, type PageSize } from './page-flow.ts'
import { PageSheet } from './page-sheet.tsx'
import { PageTools } from './page-tools.tsx'
import { ReaderBar, Tool, ToolGroup } from './reader-bar.tsx'
import { commandOf, type ReaderCommand } from './reader-keys.ts'
import { ThumbnailPanel } from './thumbnail-panel.tsx'
import { useArea } from './use-area.ts'
import { useFind } from './use-find.ts'
import { findRead, useFlowScroll } from './use-flow-scroll.ts'
import { usePageSizes } from './use-page-sizes.ts'
import { stepScale, toScale, type Zoom } from './zoom.ts'
import { ZoomTools } from './zoom-tools.tsx'

/** Pages drawn on either side of those in sight, so that scrolling meets none that is empty. */
const AROUND = 2

export interface PdfReaderProps {
  pdf: PDFDocumentProxy
  /** Names the document for those who do not see it. */
  name: string
  /** Whether the pages take the focus once they are there. */
  takesFocus: boolean
  /** At the end of the row of tools. */
  tools?: ReactNode
  onFailure: () => void
  /** Brings a page up; another object does so anew. */
  place?: PagePlace | undefined
  /** Is told the index of the page that one reads. */
  onRead?: ((index: number) => void) | undefined
}

/** A page to go to. */
export interface PagePlace {
  index: number
}

export function PdfReader(props: PdfReaderProps) {
  const sizes = usePageSizes(props.pdf, props.onFailure)
  return sizes ? <Pages {...props} paperSizes={sizes} /> : <LoadingArea />
}

function Pages({
  pdf,
  name,
  takesFocus,
  tools,
  place,
  onRead,
  paperSizes,
}: PdfReaderProps & { paperSizes: PageSize[] }) {
  const root = useRef<HTMLDivElement>(null)
  const scroller = useRef<HTMLElement>(null)
  const area = useArea(scroller)
  // A page's size decides only when fitting is asked for: scrolling past a wide page must not zoom.
  const [fit, setFit] = useState<{ zoom: Zoom; index: number }>({ zoom: 'width', index: 0 })
  const [turn, setTurn] = useState<Turn>(0)
  const [hasThumbnails, setHasThumbnails] = useState(false)
  const [isFinding, setIsFinding] = useState(false)

  const sizes = useMemo(() => (turn % 180 === 0 ? paperSizes : paperSizes.map(turnSize)), [paperSizes, turn])
  const scale = toScale(fit.zoom, area, sizes[fit.index] ?? { width: 1, height: 1 })
  const flow = useMemo(() => layOutPages(sizes, scale), [sizes, scale])
  const { top, handleScroll, goTo } = useFlowScroll(scroller, flow, area)
  const read = findRead(flow, top, area.height)
  const [first, last] = findDrawn(flow, top, area.height, AROUND)
  const find = useFind(pdf, read)
  const match = isFinding && find.current !== undefined ? find.matches[find.current] : undefined
  const matchesOf = useMemo(() => groupByPage(isFinding ? find.matches : []), [isFinding, find.matches])

  useEffect(() => {
    if (takesFocus) scroller.current?.focus({ preventScroll: true })
  }, [takesFocus])

  const goToPage = useCallback(
    (index: number) => goTo(Math.min(Math.max(0, index), pdf.numPages - 1)),
    [goTo, pdf.numPages],
  )
  // Each place is brought up once, as each match below: after that one may scroll away from it.
  const reached = useRef<PagePlace>(undefined)
  useEffect(() => {
    if (!place || place === reached.current || area.width === 0) return
    reached.current = place
    goToPage(place.index)
  }, [place, area.width, goToPage])
  // Before anybody sees which page is read: a key pressed at once goes on from there.
  useLayoutEffect(() => {
    onRead?.(read)
  }, [read, onRead])
  const shown = useRef<Match>(undefined)
  useEffect(() => {
    if (match && match !== shown.current && (match.page < first || match.page > last)) goTo(match.page)
  }, [match, first, last, goTo])
  const handleCurrent = useCallback(
    (found: Match, { down, across }: { down: number; across: number }) => {
      if (shown.current === found) return
      shown.current = found
      goTo(found.page, down)
      const element = scroller.current
      const page = element?.querySelector<HTMLElement>(`[data-page="${found.page + 1}"]`)
      if (element && page) element.scrollLeft = page.offsetLeft + across * page.offsetWidth - element.clientWidth / 2
    },
    [goTo],
  )

  function setZoom(zoom: Zoom) {
    setFit({ zoom, index: read })
  }

  function openFind() {
    setIsFinding(true)
    shown.current = undefined
    root.current?.querySelector<HTMLInputElement>('search input')?.select()
  }

  function closeFind() {
    setIsFinding(false)
    scroller.current?.focus({ preventScroll: true })
  }

  const act: Record<ReaderCommand, () => void> = {
    find: openFind,
    'find-next': () => (isFinding ? find.step(1) : openFind()),
    'find-previous': () => (isFinding ? find.step(-1) : openFind()),
    'zoom-in': () => setZoom(stepScale(scale, 1)),
    'zoom-out': () => setZoom(stepScale(scale, -1)),
    'zoom-width': () => setZoom('width'),
    'next-page': () => goToPage(read + 1),
    'previous-page': () => goToPage(read - 1),
    'first-page': () => goToPage(0),
    'last-page': () => goToPage(pdf.numPages - 1),
  }

  function handleKey(event: KeyboardEvent<HTMLElement>) {
    if (event.defaultPrevented) return
    if (event.key === 'Escape' && (isFinding || hasThumbnails)) {
      event.stopPropagation()
      event.preventDefault()
      if (isFinding) closeFind()
      else {
        setHasThumbnails(false)
        scroller.current?.focus({ preventScroll: true })
      }
      return
    }
    const { target } = event
    const command = commandOf(event, target instanceof HTMLInputElement)
    const isSideways = event.key === 'ArrowLeft' || event.key === 'ArrowRight'
    // In the row of tools arrows move between tools; where there is something to the side, they scroll there.
    if (!command || (isSideways && (target !== scroller.current || flow.width > area.width))) return
    event.preventDefault()
    act[command]()
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={root} className="flex min-h-0 w-full grow flex-col" onKeyDown={handleKey}>
      <ReaderBar>
        <ToolGroup>
          <Tool
            icon={PanelLeft}
            label={m.reader_thumbnails_show()}
            pressed={hasThumbnails}
            onClick={() => setHasThumbnails(!hasThumbnails)}
          />
          <Tool
            icon={Search}
            label={m.reader_find()}
            keys="Control+F"
            pressed={isFinding}
            onClick={() => (isFinding ? closeFind() : openFind())}
          />
        </ToolGroup>
        <PageTools current={read} pages={pdf.numPages} onPage={goToPage} />
        <ZoomTools zoom={fit.zoom} scale={scale} onZoom={setZoom} onTurn={() => setTurn(turnOn(turn))} />
        {tools && <ToolGroup className="ms-auto">{tools}</ToolGroup>}
      </ReaderBar>
      {isFinding && <FindBar find={find} onClose={closeFind} />}
      <div className="flex min-h-0 grow">
        {hasThumbnails && <ThumbnailPanel pdf={pdf} sizes={sizes} turn={turn} current={read} onPage={goToPage} />}
        <section
          ref={scroller}
          aria-label={name}
          // Focusable, so that it can be scrolled from the keyboard.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          onScroll={handleScroll}
          className="min-w-0 grow overflow-auto -outline-offset-2 [scrollbar-gutter:stable]"
        >
          <div dir="ltr" className="relative min-w-full" style={{ height: flow.height, width: flow.width }}>
            {area.width > 0 &&
              flow.boxes
                .slice(first, last + 1)
                .map((box, i) => (
                  <PageSheet
                    key={first + i}
                    pdf={pdf}
                    index={first + i}
                    box={box}
                    scale={scale}
                    turn={turn}
                    matches={matchesOf.get(first + i) ?? NO_MATCHES}
                    current={match?.page === first + i ? match : undefined}
                    onCurrent={handleCurrent}
                    onPage={goToPage}
                  />
                ))}
          </div>
        </section>
      </div>
    </div>
  )
}

const NO_MATCHES: never[] = []

function turnSize({ width, height }: PageSize): PageSize {
  return { width: height, height: width }
}
