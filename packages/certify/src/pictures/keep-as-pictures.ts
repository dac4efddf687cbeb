import { type PDF, PdfArray, PdfDict, type PdfRef } from '@libpdf/core'
import sharp from 'sharp'
import { Refusal } from '../errors.ts'
import { embedImage } from '../image/embed-image.ts'
import { formatPoints } from '../pdf/format-points.ts'
import { loadPdf } from '../pdf/load-pdf.ts'
import type { SourcePage } from '../pdf/list-pages.ts'
import { makeStream, nameOf, numbersOf, type ObjectStore, registerObject } from '../pdf/object-store.ts'
import { readMending } from '../pdf/read-mending.ts'
import { resolveIn } from '../pdf/resolve-in.ts'
import { type DrawnPage, type DrawnPdf, openPdfium, type PageSize, type Picture } from './open-pdfium.ts'
import { registerUnseenFont, writeUnseenWords } from './unseen-words.ts'

/** Print that is read without effort; faxes are sent as finely. */
const PIXELS_PER_POINT = 200 / 72
/** A sheet of A3 at that resolution, and half as much again; larger ones are drawn coarser. */
const MOST_PIXELS = 12_000_000
/** Enough to see whether a page shows anything. */
const GLANCE_PIXELS = 250_000
/** Drawing one takes up to half a second. */
export const PICTURED_MAX_PAGES = 50
/** The largest page that ISO 32000-1 annex C knows, in points, and one that is still a page. */
const [LEAST_SIDE, MOST_SIDE] = [1, 14_400]
/** Bytes to a pixel of a losslessly packed picture; what takes more is a photograph or a scan. */
const MOST_PACKED = 0.25
const PHOTOGRAPH = { quality: 90, chromaSubsampling: '4:4:4' } as const
const WHITE = 0xff

/**
 * Makes sure that a PDF can be kept as pictures of its pages: all of them can be drawn, and none that holds something comes out
 * blank.
 * @param bytes As they were uploaded.
 * @returns its number of pages.
 * @throws Refusal `ambiguous` where it cannot, or has more pages than that is done for; others as `loadPdf`.
 */
export async function checkPictures(bytes: Uint8Array, maxPages: number): Promise<number> {
  const { drawn, holds } = await openAlike(bytes, maxPages)
  for (const [index, holdsSomething] of holds.entries()) {
    const picture = drawPage(drawn, index, GLANCE_PIXELS)
    if (holdsSomething && picture.rgba.every((value) => value === WHITE))
      throw new Refusal('ambiguous', 'a page that Chrome shows nothing of')
  }
  return holds.length
}

/**
 * Keeps a PDF that readers show in different ways as pictures of its pages, as Chrome shows them on a screen: a picture is the same to
 * all. Its words lie over them without ink.
 * @param bytes As they were uploaded.
 * @returns the pages, which bring their own content.
 * @throws Refusal as `checkPictures`.
 */
export async function keepAsPictures(store: ObjectStore, bytes: Uint8Array, maxPages: number): Promise<PdfRef[]> {
  const { drawn, holds } = await openAlike(bytes, maxPages)
  const pages: PdfRef[] = []
  const fonts = registerUnseenFont(store)
  for (const index of holds.keys()) {
    const picture = drawPage(drawn, index, MOST_PIXELS)
    const image = await embedPicture(store, picture)
    const [width, height] = measurePage(picture)
    const content =
      `q ${formatPoints(width)} 0 0 ${formatPoints(height)} 0 0 cm /PdImage Do Q\n` +
      writeUnseenWords(drawn.readWords(index))
    const page = PdfDict.of({
      Type: nameOf('Page'),
      MediaBox: numbersOf([0, 0, width, height]),
      Resources: PdfDict.of({ XObject: PdfDict.of({ PdImage: image }), Font: fonts }),
      Contents: registerObject(store, makeStream({}, content)),
    })
    pages.push(registerObject(store, page))
  }
  return pages
}

/** Whole pixels: no reader has to mix two of them where it draws as finely. That is a fifth of a point more or less. */
function measurePage({ width, height, size }: DrawnPage): [number, number] {
  const scale = findScale(size, MOST_PIXELS)
  return [roundPoints(width / scale), roundPoints(height / scale)]
}

const roundPoints = (points: number): number => Math.round(points * 1000) / 1000

/** Who draws must find the pages that all readers find. Of each, whether it holds letters, images or marks. */
async function openAlike(bytes: Uint8Array, maxPages: number): Promise<{ drawn: DrawnPdf; holds: boolean[] }> {
  // mended where it lies, which is not what Chrome reads
  const holds = await readMending(Uint8Array.from(bytes), async (watched, lead) => {
    const { pdf, pages } = await loadPdf(watched, maxPages, lead)
    return pages.map(({ dict, inherited }) => showsSomething(pdf, dict, inherited))
  })
  if (holds.length > PICTURED_MAX_PAGES) throw new Refusal('ambiguous', 'more pages than are kept as pictures')
  const drawn = await openPdfium(bytes).catch((cause: unknown) => {
    throw new Refusal('ambiguous', 'a file that Chrome does not open', { cause })
  })
  if (drawn.pages !== holds.length) throw new Refusal('ambiguous', 'Chrome shows another number of pages')
  return { drawn, holds }
}

function showsSomething(pdf: PDF, page: PdfDict, inherited: SourcePage['inherited']): boolean {
  const resolve = resolveIn(pdf)
  const resources = resolve(page.get('Resources') ?? inherited.get('Resources'))
  const marks = resolve(page.get('Annots'))
  const named = resources instanceof PdfDict ? ['Font', 'XObject', 'Pattern', 'Shading'] : []
  return (
    (marks instanceof PdfArray && marks.length > 0) ||
    named.some((key) => {
      const kind = resources instanceof PdfDict && resolve(resources.get(key))
      return kind instanceof PdfDict && [...kind.keys()].length > 0
    })
  )
}

/** @throws Refusal `ambiguous`. */
function drawPage(drawn: DrawnPdf, index: number, mostPixels: number): DrawnPage {
  try {
    return drawn.drawPage(index, (size) => choosePixels(size, mostPixels))
  } catch (cause) {
    throw new Refusal('ambiguous', 'a page that Chrome does not draw', { cause })
  }
}

/** @throws where the page has no size that a page can have. */
function choosePixels({ width, height }: PageSize, mostPixels: number): PageSize {
  if (![width, height].every((side) => side >= LEAST_SIDE && side <= MOST_SIDE)) throw new Error('an odd size')
  const scale = findScale({ width, height }, mostPixels)
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** Pixels to a point. */
function findScale({ width, height }: PageSize, mostPixels: number): number {
  return Math.min(PIXELS_PER_POINT, Math.sqrt(mostPixels / (width * height)))
}

/** Print is packed without loss, and takes little; photographs would take megabytes. */
async function embedPicture(store: ObjectStore, { width, height, rgba }: Picture): Promise<PdfRef> {
  const channels = isGrey(rgba) ? 1 : 3
  const pixels = Buffer.allocUnsafe(width * height * channels)
  for (let from = 0, to = 0; from < rgba.length; from += 4)
    for (let channel = 0; channel < channels; channel++) pixels[to++] = rgba[from + channel]!
  const raw = sharp(pixels, { raw: { width, height, channels } }).toColourspace(channels === 1 ? 'b-w' : 'srgb')
  const packed = await raw.clone().png({ compressionLevel: 6, palette: false }).toBuffer()
  if (packed.length <= MOST_PACKED * width * height) return (await embedImage(store, packed, 'PNG')).ref
  const photograph = await raw.clone().jpeg(PHOTOGRAPH).toBuffer()
  const isSmaller = photograph.length < packed.length
  return (await embedImage(store, isSmaller ? photograph : packed, isSmaller ? 'JPEG' : 'PNG')).ref
}

function isGrey(rgba: Uint8Array): boolean {
  for (let at = 0; at < rgba.length; at += 4) if (rgba[at] !== rgba[at + 1] || rgba[at] !== rgba[at + 2]) return false
  return true
}
