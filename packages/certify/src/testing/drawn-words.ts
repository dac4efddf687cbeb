import { AnnotationMode, getDocument, OPS } from 'pdfjs-dist/legacy/build/pdf.mjs'

/**
 * The words that the reviewer's reader draws on each page, in the order of drawing, with its annotations and without hidden
 * layers.
 * @param only One page alone, counted from 1.
 */
export async function readDrawnWords(bytes: Uint8Array, only?: number): Promise<string[]> {
  const document = await getDocument({ data: new Uint8Array(bytes), verbosity: 0, enableXfa: false }).promise
  const layers = await document.getOptionalContentConfig({ intent: 'display' })
  const pages: string[] = []
  for (let number = only ?? 1; number <= (only ?? document.numPages); number++) {
    const page = await document.getPage(number)
    const { fnArray, argsArray } = await page.getOperatorList({ annotationMode: AnnotationMode.ENABLE })
    const marks: boolean[] = []
    let words = ''
    for (const [i, operator] of fnArray.entries()) {
      const [first, second] = (argsArray[i] ?? []) as [unknown, unknown]
      if (operator === OPS.beginMarkedContent) marks.push(true)
      else if (operator === OPS.beginMarkedContentProps) marks.push(first !== 'OC' || layers.isVisible(second))
      else if (operator === OPS.endMarkedContent) marks.pop()
      else if (operator === OPS.showText && marks.every(Boolean)) words += `${readGlyphs(first)} `
    }
    pages.push(words.replaceAll(/\s+/g, ' ').trim())
  }
  await document.loadingTask.destroy()
  return pages
}

const PAINTING: ReadonlySet<number> = new Set(
  Object.entries(OPS).flatMap(([name, operator]) =>
    /^(showText|paint|constructPath|shadingFill|rawFillPath)/.test(name) ? [operator] : [],
  ),
)

/** Whether the reviewer's reader puts anything on the page, with its annotations. What is white or clipped away counts too. */
export async function paintsAnything(bytes: Uint8Array, number: number): Promise<boolean> {
  const document = await getDocument({ data: new Uint8Array(bytes), verbosity: 0, enableXfa: false }).promise
  const page = await document.getPage(number)
  const { fnArray } = await page.getOperatorList({ annotationMode: AnnotationMode.ENABLE })
  await document.loadingTask.destroy()
  return fnArray.some((operator) => PAINTING.has(operator))
}

/** Points to a unit of a page (ISO 32000-2 table 31, /UserUnit), as the reviewer's reader takes it. */
export async function readPageUnit(bytes: Uint8Array, number: number): Promise<number> {
  const document = await getDocument({ data: new Uint8Array(bytes), verbosity: 0, enableXfa: false }).promise
  const { userUnit } = await document.getPage(number)
  await document.loadingTask.destroy()
  return userUnit
}

function readGlyphs(glyphs: unknown): string {
  if (!Array.isArray(glyphs)) return ''
  return glyphs
    .map((glyph) => (typeof glyph === 'number' ? '' : ((glyph as { unicode?: string }).unicode ?? '')))
    .join('')
}
