import type { PDFDocumentProxy } from 'pdfjs-dist'
import { useEffect, useState } from 'react'
import { findPage, measurePage } from './draw-page.ts'
import type { PageSize } from './page-flow.ts'

/** So many pages are asked for at once, and told of together. */
const BATCH = 50

/**
 * Sizes of all pages on paper. Until a page is known it counts as large as the first, so that a long document can be read
 * at once.
 * @returns undefined until the first page is known.
 */
export function usePageSizes(pdf: PDFDocumentProxy, onFailure: () => void): PageSize[] | undefined {
  const [sizes, setSizes] = useState<PageSize[]>()
  useEffect(() => {
    const leave = new AbortController()
    async function measure() {
      const first = measurePage(await findPage(pdf, 0))
      const known = Array.from<PageSize>({ length: pdf.numPages }).fill(first)
      if (!leave.signal.aborted) setSizes([...known])
      for (let start = 1; start < pdf.numPages && !leave.signal.aborted; start += BATCH) {
        const indexes = Array.from({ length: Math.min(BATCH, pdf.numPages - start) }, (_, i) => start + i)
        await Promise.all(indexes.map(async (index) => (known[index] = await measureOr(pdf, index, first))))
        const differs = indexes.some((index) => !isSame(known[index], first))
        if (differs && !leave.signal.aborted) setSizes([...known])
      }
    }
    measure().catch(() => leave.signal.aborted || onFailure())
    return () => leave.abort()
  }, [pdf, onFailure])
  return sizes
}

/** A page that is broken keeps its place. */
async function measureOr(pdf: PDFDocumentProxy, index: number, fallback: PageSize): Promise<PageSize> {
  try {
    return measurePage(await findPage(pdf, index))
  } catch {
    return fallback
  }
}

function isSame(size: PageSize | undefined, other: PageSize): boolean {
  return size?.width === other.width && size.height === other.height
}
