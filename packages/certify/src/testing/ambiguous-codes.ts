import { type AmbiguousFile, withImage } from './ambiguous-file.ts'
import { pageOf, segmentOf } from './small-jbig2.ts'
import { COLOUR_JPX, GREY_JPX } from './small-jpx.ts'

const BLACK_AND_WHITE = '/Width 64 /Height 64 /BitsPerComponent 1 /ColorSpace /DeviceGray /Filter /JBIG2Decode'
const JPX = '/Width 32 /Height 32 /Filter /JPXDecode'

const unlike = (title: string, why: string, bytes: Buffer): AmbiguousFile => ({
  title: `${title} is not copied`,
  why,
  bytes,
  outcome: 'unlike',
})

const word = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** Parts of an image of 64 pixels (ITU-T T.88 section 7.4): codes of some pattern, in the same order for all that follow the standard. */
const CODES = Buffer.from(Array.from({ length: 300 }, (_, i) => (i * i * 31 + i * 7) & 0x7f))
const END = Buffer.of(0xff, 0xac)
const placeBy = (operator: number): Buffer => Buffer.concat([word(64), word(64), word(0), word(0), Buffer.of(operator)])
const NEIGHBOURS = Buffer.of(0, 3, 0xff, 0xfd, 0xff, 2, 0xfe, 0xfe, 0xfe)
const regionBy = (number: number, operator: number, end = END): Buffer =>
  segmentOf(number, 38, Buffer.concat([placeBy(operator), NEIGHBOURS, CODES, end]))
const blackPage = (): Buffer => {
  const page = pageOf(64, 64)
  page[page.length - 3] = 4
  return page
}
const withParts = (...parts: Buffer[]): Buffer => withImage(BLACK_AND_WHITE, Buffer.concat(parts))

interface Box {
  kind: string
  data: Buffer
}

function readBoxes(bytes: Buffer): Box[] {
  const boxes: Box[] = []
  for (let at = 0; at < bytes.length;) {
    const end = at + (bytes.readUInt32BE(at) || bytes.length - at)
    boxes.push({ kind: bytes.toString('latin1', at + 4, at + 8), data: bytes.subarray(at + 8, end) })
    at = end
  }
  return boxes
}

const writeBoxes = (boxes: readonly Box[]): Buffer =>
  Buffer.concat(boxes.flatMap(({ kind, data }) => [word(data.length + 8), Buffer.from(kind, 'latin1'), data]))

/** Another head of a JPEG 2000 file (ISO/IEC 15444-1 section I.5.3). */
const changeHead = (file: Buffer, change: (boxes: Box[]) => Box[]): Buffer =>
  writeBoxes(
    readBoxes(file).map(({ kind, data }) => ({
      kind,
      data: kind === 'jp2h' ? writeBoxes(change(readBoxes(data))) : data,
    })),
  )

const setFigure =
  (at: number, value: number) =>
  (boxes: Box[]): Box[] =>
    boxes.map(({ kind, data }) => {
      const copy = Buffer.from(data)
      if (kind === 'ihdr') copy[at] = value
      return { kind, data: copy }
    })

/** Two colours, and which component is looked up for which of their figures. */
const PALETTE: Box = { kind: 'pclr', data: Buffer.of(0, 2, 3, 7, 7, 7, 0, 255, 0, 255, 0, 255) }
const mapOf = (...rows: number[][]): Box => ({
  kind: 'cmap',
  data: Buffer.from(rows.flatMap(([a, b, c]) => [0, a!, b!, c!])),
})
const isColour = ({ kind }: Box): boolean => kind === 'colr'
const IN_COLOURS: Box = { kind: 'colr', data: Buffer.of(1, 0, 0, 0, 0, 0, 16) }
const addPalette = (file: Buffer, ...more: Box[]): Buffer =>
  changeHead(file, (boxes) => [...boxes.filter((box) => !isColour(box)), IN_COLOURS, ...more])

/** JPEG 2000 and JBIG2 images that say something twice, or less than all. */
export const AMBIGUOUS_CODES: readonly AmbiguousFile[] = [
  ...[
    [
      'a part that is refined',
      withParts(
        pageOf(64, 64),
        regionBy(1, 0),
        segmentOf(2, 42, Buffer.concat([placeBy(4), Buffer.of(2, 0xff, 0xff, 0xff, 0xff), CODES, END])),
      ),
    ],
    ['a second part that replaces the first', withParts(pageOf(64, 64), regionBy(1, 0), regionBy(2, 4))],
    ['a second part that cuts the first', withParts(pageOf(64, 64), regionBy(1, 0), regionBy(2, 1))],
    ['a part that replaces the black of its page', withParts(blackPage(), regionBy(1, 4))],
  ].map(([what, bytes]) =>
    unlike(
      `A JBIG2 image with ${what as string}`,
      'Poppler leaves out its last columns, or draws another (7.4.7).',
      bytes as Buffer,
    ),
  ),
  unlike(
    'A JBIG2 image whose codes have no end',
    'Behind the last one some readers leave the rest white, others go on (7.4.7).',
    withParts(pageOf(64, 64), regionBy(1, 0, Buffer.alloc(0))),
  ),
  {
    title: 'A JBIG2 image of one part that replaces its white page is shown',
    why: 'Scanners write them so (7.4.7).',
    bytes: withParts(pageOf(64, 64), regionBy(1, 4)),
  },
  ...[
    ['of another height', 3, 16],
    ['of another width', 7, 16],
    ['of more components', 9, 3],
    ['of another depth', 10, 3],
  ].map(([what, at, value]) =>
    unlike(
      `A JPEG 2000 image ${what as string} in its head than in its data`,
      'Some readers show nothing, some white, some another picture (7.4.9).',
      withImage(`${JPX} /ColorSpace /DeviceGray`, changeHead(GREY_JPX, setFigure(at as number, value as number))),
    ),
  ),
  ...[
    ['with a map and no palette', addPalette(GREY_JPX, mapOf([0, 1, 0], [0, 1, 1], [0, 1, 2]))],
    ['with a palette and no map', addPalette(GREY_JPX, PALETTE)],
    [
      'with a palette of fewer colours than there are values',
      addPalette(GREY_JPX, PALETTE, mapOf([0, 1, 0], [0, 1, 1], [0, 1, 2])),
    ],
    [
      'with a palette for one of several components',
      addPalette(COLOUR_JPX, PALETTE, mapOf([2, 1, 0], [0, 1, 1], [1, 1, 2])),
    ],
    [
      'with components in another order than in its data',
      addPalette(COLOUR_JPX, PALETTE, mapOf([2, 0, 0], [0, 0, 0], [1, 0, 0])),
    ],
    ['that is cut off before its end', Buffer.concat([COLOUR_JPX.subarray(0, -60), Buffer.of(0xff, 0xd9)])],
  ].map(([what, data]) =>
    unlike(
      `A JPEG 2000 image ${what as string}`,
      'Each reader shows another picture, or none (7.4.9).',
      withImage(JPX, data as Buffer),
    ),
  ),
  {
    title: 'A JPEG 2000 image without a head that names no colours is shown',
    why: 'Ghostscript showed nothing of it (7.4.9).',
    bytes: withImage(JPX, readBoxes(COLOUR_JPX).at(-1)!.data),
  },
]
