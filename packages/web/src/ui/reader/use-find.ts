import type { PDFDocumentProxy } from 'pdfjs-dist'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { findPage } from './draw-page.ts'
import { findOnPage, foldPage, type Match, type PageText } from './find-text.ts'
import type { TextRun } from './reading-order.ts'

const TYPING_PAUSE_MS = 200
/** What is found is told every so many pages. */
const TOLD_EVERY = 20
/** More help nobody, and would make a page slow. */
const MOST_MATCHES = 5000

interface KnownText {
  runs: TextRun[]
  text: PageText
}

export interface Find {
  query: string
  setQuery: (query: string) => void
  matches: readonly Match[]
  /** Index in `matches`; undefined while there is none. */
  current: number | undefined
  /** All pages were looked through. */
  isDone: boolean
  step: (direction: 1 | -1) => void
}

const NOTHING = { query: '', matches: [] as Match[], isDone: true }

/** Searches the whole document, page after page, and begins with what stands on the page in sight or after it. */
export function useFind(pdf: PDFDocumentProxy, pageInSight: number): Find {
  const [query, setQuery] = useState('')
  const [found, setFound] = useState(NOTHING)
  const [current, setCurrent] = useState<number>()
  const known = useRef(new Map<number, KnownText>())
  const readStart = useEffectEvent(() => pageInSight)

  useEffect(() => {
    const isOver = { now: false }
    async function search() {
      const from = readStart()
      const matches: Match[] = []
      let first: number | undefined
      setFound({ query, matches: [], isDone: query.trim() === '' })
      setCurrent(undefined)
      if (query.trim() === '') return
      for (let page = 0; page < pdf.numPages && matches.length < MOST_MATCHES; page++) {
        const { text, runs } = await readPage(pdf, page, known.current)
        if (isOver.now) return
        matches.push(...findOnPage(text, runs, query, page))
        if (first === undefined && matches.some((match) => match.page >= from)) {
          first = matches.findIndex((match) => match.page >= from)
          setFound({ query, matches: [...matches], isDone: false })
          setCurrent(first)
        } else if (page % TOLD_EVERY === 0) setFound({ query, matches: [...matches], isDone: false })
      }
      setFound({ query, matches, isDone: true })
      if (first === undefined && matches.length > 0) setCurrent(0)
    }
    const timer = setTimeout(() => void search(), TYPING_PAUSE_MS)
    return () => {
      isOver.now = true
      clearTimeout(timer)
    }
  }, [pdf, query])

  const { matches } = found
  const step = useMemo(
    () => (direction: 1 | -1) =>
      setCurrent((now) =>
        matches.length === 0 ? undefined : ((now ?? -1) + direction + matches.length) % matches.length,
      ),
    [matches],
  )
  const isCurrent = found.query === query
  return { query, setQuery, matches, current, isDone: found.isDone && isCurrent, step }
}

/** The text of a page that cannot be read is empty. */
async function readPage(pdf: PDFDocumentProxy, index: number, known: Map<number, KnownText>): Promise<KnownText> {
  const old = known.get(index)
  if (old) return old
  let runs: TextRun[] = []
  try {
    const page = await findPage(pdf, index)
    // As the text above the page is read, so that a place in one is a place in the other.
    const { items } = await page.getTextContent({ disableNormalization: true })
    runs = items.flatMap((item) => ('str' in item ? [item] : []))
  } catch {
    runs = []
  }
  const text = { runs, text: foldPage(runs) }
  known.set(index, text)
  return text
}
