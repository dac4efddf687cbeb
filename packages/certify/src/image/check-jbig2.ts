import { Disagreement, Refusal } from '../errors.ts'

/** Kinds of segments (ITU-T T.88 section 7.3): what regions are made from, and those that are drawn at once. Refined ones Poppler draws otherwise. */
const DICTIONARIES = new Set([0, 16, 53, 62])
const REGIONS = new Set([6, 7, 22, 23, 38, 39])
/** Those of pixels that follow each other. */
const GENERIC = new Set([38, 39])
/** Where the first flag of a part stands, which says that it is packed as a fax is, or by tables of codes. */
const FLAGS: Record<number, number> = { 0: 1, 6: 18, 7: 18, 16: 0, 22: 17, 23: 17, 38: 17, 39: 17 }
const [PAGE, END_OF_PAGE, END_OF_STRIPE, END_OF_FILE] = [48, 49, 50, 51]
const PAGE_BYTES = 19
const REGION_BYTES = 17
/** Ways of putting a region on the page; of AND and of what replaces the page Poppler leaves out the last columns. */
const MOST_OPERATOR = 4
const [AND, REPLACE] = [1, 4]
/** A page that is black to begin with. */
const BLACK = 4
const END_OF_CODES = '\xff\xac'
/** Of a count of referred segments: beyond, it takes more than a byte. */
const SHORT_COUNT = 4
const LONG_COUNT = 7

interface Segment {
  kind: number
  data: Buffer
}

interface Size {
  width: number
  height: number
}

/**
 * Looks whether the segments of an image are what a PDF may have, whole, and of its size. Decoders pass over others, stop at them, or draw
 * nothing at all (ISO 32000-2 section 7.4.7).
 * @param globals What the image shares with others.
 * @throws Refusal `unreadable`.
 */
export function checkJbig2(bytes: Uint8Array, globals: Uint8Array | undefined, size: Size): void {
  const shared = globals === undefined ? [] : readSegments(globals)
  if (shared.some(({ kind }) => !DICTIONARIES.has(kind))) disagree('that shares more than signs')
  const own = readSegments(bytes)
  for (const segment of [...shared, ...own]) checkPacked(segment)
  let hasPage = false
  /** Nothing is on the page, and it is white. */
  let isEmpty = false
  let isOver = false
  let isEnded = false
  for (const { kind, data } of own) {
    if (isEnded || (isOver && kind !== END_OF_FILE)) disagree('that goes on behind its end')
    if (kind === PAGE) {
      if (hasPage || data.length < PAGE_BYTES) refuse('of several pages')
      hasPage = true
      isEmpty = (data[16]! & BLACK) === 0
      if (data.readUInt32BE(0) !== size.width || data.readUInt32BE(4) !== size.height) disagree('of another size')
    } else if (REGIONS.has(kind)) {
      if (!hasPage) refuse('without a page')
      checkRegion(data, size, isEmpty)
      // behind the end of the codes some readers leave the rest white, others go on
      if (GENERIC.has(kind) && data.toString('latin1', data.length - 2) !== END_OF_CODES)
        refuse('whose codes have no end')
      isEmpty = false
    } else if (kind === END_OF_PAGE) isOver = true
    else if (kind === END_OF_FILE) isEnded = true
    else if (kind !== END_OF_STRIPE && !DICTIONARIES.has(kind)) disagree('of parts that few readers know')
  }
  if (!hasPage) refuse('without a page')
}

function checkRegion(data: Buffer, { width, height }: Size, isFirst: boolean): void {
  if (data.length <= REGION_BYTES) refuse('with a part that is cut off')
  const [across, down, left, top] = [0, 4, 8, 12].map((at) => data.readUInt32BE(at)) as [number, number, number, number]
  const operator = data[16]! & 7
  if (left + across > width || top + down > height || operator > MOST_OPERATOR) disagree('with a part beyond it')
  if (!isFirst && (operator === AND || operator === REPLACE)) disagree('with a part that replaces others')
}

/** Poppler draws some runs of such data elsewhere. */
function checkPacked({ kind, data }: Segment): void {
  const at = FLAGS[kind]
  if (at === undefined) return
  if (at >= data.length || (data[at]! & 1) === 1) disagree('that is packed in a way that not all readers know')
}

/** @throws Refusal where they do not fill the bytes. */
function readSegments(bytes: Uint8Array): Segment[] {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const segments: Segment[] = []
  for (let at = 0; at < data.length;) {
    const head = readHead(data, at)
    const end = head === undefined ? Infinity : head.begin + head.length
    if (head === undefined || end > data.length) refuse('whose parts are not whole')
    segments.push({ kind: head.kind, data: data.subarray(head.begin, end) })
    at = end
  }
  return segments
}

/** Section 7.2 of ITU-T T.88. */
function readHead(data: Buffer, at: number): { kind: number; begin: number; length: number } | undefined {
  if (at + 6 > data.length) return undefined
  const number = data.readUInt32BE(at)
  const flags = data[at + 4]!
  let place = at + 5
  let referred = data[place]! >> 5
  if (referred === LONG_COUNT) {
    if (place + 4 > data.length) return undefined
    referred = data.readUInt32BE(place) & 0x1fffffff
    place += 4 + Math.ceil((referred + 1) / 8)
  } else if (referred > SHORT_COUNT) return undefined
  else place += 1
  place += referred * (number <= 256 ? 1 : number <= 65_536 ? 2 : 4) + ((flags & 0x40) === 0 ? 1 : 4)
  if (place + 4 > data.length) return undefined
  return { kind: flags & 0x3f, begin: place + 4, length: data.readUInt32BE(place) }
}

function refuse(kind: string): never {
  throw new Refusal('unreadable', `a JBIG2 image ${kind}`)
}

function disagree(kind: string): never {
  throw new Disagreement(`a JBIG2 image ${kind}`)
}
