import { PdfDict, type PdfRef } from '@libpdf/core'
import { Refusal } from '../errors.ts'
import { formatPoints } from '../pdf/format-points.ts'
import { loadPdf } from '../pdf/load-pdf.ts'
import { makeStream, nameOf, numberOf, numbersOf, type ObjectStore, registerObject } from '../pdf/object-store.ts'
import { readMending } from '../pdf/read-mending.ts'
import { findShownWords } from './find-shown-words.ts'
import { type DrawnPage, type DrawnPdf, openPdfium, type PageSize } from './open-pdfium.ts'
import { embedPicture } from './pack-picture.ts'
import { type PictureSource, readSourcePages } from './read-source-pages.ts'
import type { PlacedWord } from './read-words.ts'
import { registerUnseenFont, writeUnseenWords } from './unseen-words.ts'

/** Print that is read without effort; faxes are sent as finely. */
const PIXELS_PER_POINT = 200 / 72
/** A sheet of A3 at that resolution, and half as much again; larger ones are drawn coarser. */
const MOST_PIXELS = 12_000_000
/** Of all pages of a file together, fifty of A4: what packing them takes is bounded by it. */
const MOST_FILE_PIXELS = 200_000_000
/** Drawing one takes up to half a second. */
export const PICTURED_MAX_PAGES = 50
/** The largest page that ISO 32000-1 annex C knows, in points, and one that is still a page. */
const [LEAST_SIDE, MOST_SIDE] = [1, 14_400]
const WHITE = 0xff

/**
 * Makes sure that a PDF can be kept as pictures of its pages: all of them can be drawn, and none that holds something comes out
 * blank. They are drawn as finely as they will be kept, and their words read, since how long that takes is up to the file; packing them takes
 * no longer than their pixels are many.
 * @param bytes As they were uploaded.
 * @returns its number of pages.
 * @throws Refusal `ambiguous` where it cannot, or has more pages than that is done for; `unreadable` where a page has a fault within its
 * data; others as `loadPdf`.
 */
export async function checkPictures(bytes: Uint8Array, maxPages: number): Promise<number> {
  const { drawn, sources } = await openAlike(bytes, maxPages)
  // as where it would be copied: what is behind the fault is nowhere to be seen
  if (sources.some(({ isBroken }) => isBroken))
    throw new Refusal('unreadable', 'the content of a page cannot be unpacked')
  for (const [index, source] of sources.entries()) {
    const { page } = drawPage(drawn, index, sources)
    if (source.holdsSomething && isBlank(page)) throw new Refusal('ambiguous', 'a page that Chrome shows nothing of')
  }
  return sources.length
}

/**
 * Keeps a PDF that readers show in different ways as pictures of its pages, as Chrome shows them on a screen: a picture is the same to
 * all. Its words lie over them without ink.
 * @param bytes As they were uploaded.
 * @returns the pages, which bring their own content.
 * @throws Refusal as `checkPictures`.
 */
export async function keepAsPictures(store: ObjectStore, bytes: Uint8Array, maxPages: number): Promise<PdfRef[]> {
  const { drawn, sources } = await openAlike(bytes, maxPages)
  const pages: PdfRef[] = []
  const fonts = registerUnseenFont(store)
  for (const [index, { unit }] of sources.entries()) {
    const { page: picture, words } = drawPage(drawn, index, sources)
    const image = await embedPicture(store, picture)
    const [width, height] = measurePage(picture, spreadPixels(sources, index))
    const content =
      `q ${formatPoints(width)} 0 0 ${formatPoints(height)} 0 0 cm /PdImage Do Q\n` + writeUnseenWords(words)
    const page = PdfDict.of({
      Type: nameOf('Page'),
      MediaBox: numbersOf([0, 0, width, height]),
      Resources: PdfDict.of({ XObject: PdfDict.of({ PdImage: image }), Font: fonts }),
      Contents: registerObject(store, makeStream({}, content)),
    })
    if (unit !== 1) page.set('UserUnit', numberOf(unit))
    pages.push(registerObject(store, page))
  }
  return pages
}

/** Whole pixels: no reader has to mix two of them where it draws as finely. That is a fifth of a point more or less. */
function measurePage({ width, height, size }: DrawnPage, spread: PixelSpread): [number, number] {
  const scale = findScale(size, spread)
  return [roundPoints(width / scale), roundPoints(height / scale)]
}

const roundPoints = (points: number): number => Math.round(points * 1000) / 1000

/** Who draws must find the pages that all readers find. */
async function openAlike(bytes: Uint8Array, maxPages: number): Promise<{ drawn: DrawnPdf; sources: PictureSource[] }> {
  // mended where it lies, which is not what Chrome reads
  const sources = await readMending(Uint8Array.from(bytes), async (watched, lead) => {
    const { pdf, pages } = await loadPdf(watched, maxPages, lead)
    return readSourcePages(pdf, pages)
  })
  if (sources.length > PICTURED_MAX_PAGES) throw new Refusal('ambiguous', 'more pages than are kept as pictures')
  const drawn = await openPdfium(bytes).catch((cause: unknown) => {
    throw new Refusal('ambiguous', 'a file that Chrome does not open', { cause })
  })
  if (drawn.pages !== sources.length) throw new Refusal('ambiguous', 'Chrome shows another number of pages')
  return { drawn, sources }
}

function isBlank({ rgba }: DrawnPage): boolean {
  for (let at = 0; at < rgba.length; at++) if (rgba[at] !== WHITE) return false
  return true
}

/** A page and the words that are seen on it. @throws Refusal `ambiguous`. */
function drawPage(
  drawn: DrawnPdf,
  index: number,
  sources: readonly PictureSource[],
): { page: DrawnPage; words: PlacedWord[] } {
  try {
    const page = drawn.drawPage(index, (size) => choosePixels(size, spreadPixels(sources, index)))
    return { page, words: findShownWords(drawn, index, page) }
  } catch (cause) {
    throw new Refusal('ambiguous', 'a page that Chrome does not draw', { cause })
  }
}

/** How finely a page is drawn. */
interface PixelSpread {
  /** Pixels to a unit of the page. */
  finest: number
  most: number
}

function spreadPixels(sources: readonly PictureSource[], index: number): PixelSpread {
  return {
    finest: PIXELS_PER_POINT * sources[index]!.unit,
    most: Math.min(MOST_PIXELS, MOST_FILE_PIXELS / sources.length),
  }
}

/** @throws where the page has no size that a page can have. */
function choosePixels(size: PageSize, spread: PixelSpread): PageSize {
  const { width, height } = size
  if (![width, height].every((side) => side >= LEAST_SIDE && side <= MOST_SIDE)) throw new Error('an odd size')
  const scale = findScale(size, spread)
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** Pixels to a unit of the page. */
function findScale({ width, height }: PageSize, { finest, most }: PixelSpread): number {
  return Math.min(finest, Math.sqrt(most / (width * height)))
}
