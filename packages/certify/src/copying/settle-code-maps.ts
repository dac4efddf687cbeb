import { PdfArray, PdfDict, PdfName, PdfRef, PdfStream, PdfString } from '@libpdf/core'
import { Disagreement, Refusal } from '../errors.ts'
import { findProgram } from '../fonts/find-program.ts'
import { type CodeMap, readCodeMap } from '../fonts/read-code-map.ts'
import {
  makeStream,
  nameOf,
  numberOf,
  type ObjectStore,
  type PdfObject,
  registerObject,
  resolveObject,
} from '../pdf/object-store.ts'
import { decodeContent } from '../pdf/read-content.ts'
import { isMapOf } from '../fonts/code-map-collections.ts'
import { lendFace } from './lend-face.ts'

/** Of all codes with two bytes, each on a line of its own. */
const MAX_MAP_BYTES = 4 << 20
/** A list in such a map has at most so many entries. */
const LIST_LENGTH = 100
/** Maps that are nothing but the codes themselves. */
const IDENTITY = new Set(['Identity-H', 'Identity-V'])
/** What readers know by heart: Chinese, Japanese and Korean. */
const COLLECTIONS = new Set(['GB1', 'CNS1', 'Japan1', 'Korea1'])

/**
 * Writes the maps that composite fonts bring along anew, in the one form that all readers take alike: each code
 * once, in order. Readers pass over other maps that such a map refers to, over lists for characters, and over codes of a length
 * that they do not expect, or heed them.
 * @throws Refusal `unreadable` where it cannot be told what a map means.
 */
export function settleCodeMaps(store: ObjectStore, fonts: readonly PdfDict[]): void {
  const settled = new Map<PdfStream, PdfRef>()
  for (const font of fonts) {
    const map = resolveObject(store, font.get('Encoding'))
    settleGlyphNumbers(store, font, map)
    if (!(map instanceof PdfStream)) continue
    const ref = settled.get(map) ?? registerObject(store, writeCodeMap(store, font, readMap(store, map)))
    settled.set(map, ref)
    font.set('Encoding', ref)
  }
}

/**
 * A number of a glyph means something in a font that is there, or in one of the collections of glyphs that readers know (ISO 32000-2 section
 * 9.7.5.2). Otherwise each reader takes another font, and other letters of it.
 * @throws Refusal `unreadable` where that is so, and it does not say which letters are meant.
 */
function settleGlyphNumbers(store: ObjectStore, font: PdfDict, map: PdfObject | undefined): void {
  const list = resolveObject(store, font.get('DescendantFonts'))
  const descendant = list instanceof PdfArray ? resolveObject(store, list.at(0)) : undefined
  if (!(descendant instanceof PdfDict)) return
  const isIdentity = map instanceof PdfName && IDENTITY.has(map.value)
  const ordering = readOrdering(store, font)
  if (map instanceof PdfName && !isIdentity && !isMapOf(map.value, ordering))
    throw new Disagreement('numbers of a collection of glyphs that the font is not of')
  const descriptor = resolveObject(store, descendant.get('FontDescriptor'))
  const isThere =
    descriptor instanceof PdfDict && findProgram(descriptor, (object) => resolveObject(store, object)) !== undefined
  if (isThere) return
  // the reviewer's reader would take letters by what codes are said to mean, and others by their numbers
  if (COLLECTIONS.has(ordering)) font.delete('ToUnicode')
  else if (!(isIdentity && lendFace(store, font, descendant)))
    throw new Disagreement('numbers of glyphs of a font that is not there')
}

function readMap(store: ObjectStore, stream: PdfStream): CodeMap {
  const content = decodeContent(store, stream, MAX_MAP_BYTES)
  if (content === undefined) throw new Refusal('unreadable', 'a map of codes that cannot be unpacked')
  const map = readCodeMap(Buffer.from(content).toString('latin1'))
  const said = resolveObject(store, stream.get('UseCMap'))
  const base = map.base ?? (said instanceof PdfName ? said.value : said === undefined ? undefined : '')
  if (base === undefined) return map
  if (!IDENTITY.has(base) || map.lengths.includes(1))
    throw new Disagreement('a map of codes that adds to another: some readers pass over the other')
  return { ...map, characters: map.characters.map((character, code) => (character < 0 ? code : character)) }
}

function writeCodeMap(store: ObjectStore, font: PdfDict, map: CodeMap): PdfStream {
  const { isVertical } = map
  const mode = isVertical ? 1 : 0
  const ordering = readOrdering(store, font)
  const system = { Registry: PdfString.fromString('Adobe'), Ordering: PdfString.fromString(ordering) }
  const text =
    '/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n' +
    `/CIDSystemInfo 3 dict dup begin\n/Registry (Adobe) def\n/Ordering (${ordering}) def\n/Supplement 0 def\nend def\n` +
    `/CMapName /Settled def\n/CMapType 1 def\n/WMode ${mode} def\n` +
    `${[...divideLists('codespacerange', listSpaces(map)), ...divideLists('cidrange', listRanges(map))].join('\n')}\n` +
    'endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n'
  return makeStream(
    {
      Type: nameOf('CMap'),
      CMapName: nameOf('Settled'),
      CIDSystemInfo: PdfDict.of({ ...system, Supplement: numberOf(0) }),
      WMode: numberOf(mode),
    },
    text,
  )
}

/** Together they hold every byte that a code can begin with. */
function listSpaces({ lengths }: CodeMap): string[] {
  const lines: string[] = []
  for (let from = 0; from < lengths.length;) {
    const length = lengths[from]!
    let to = from
    while (lengths[to + 1] === length) to++
    lines.push(length === 1 ? `<${hex(from, 1)}> <${hex(to, 1)}>` : `<${hex(from, 1)}00> <${hex(to, 1)}FF>`)
    from = to + 1
  }
  return lines
}

/** Runs of codes whose characters follow each other, none beyond one last byte. */
function listRanges({ lengths, characters }: CodeMap): string[] {
  const lines: string[] = []
  for (const length of [1, 2]) {
    const isCode = (code: number): boolean => lengths[length === 1 ? code : code >> 8] === length
    for (let from = 0; from < 256 ** length;) {
      const first = characters[from]!
      let to = from
      while ((to & 0xff) < 0xff && isCode(to + 1) && characters[to + 1] === first + to + 1 - from) to++
      if (first >= 0 && isCode(from)) lines.push(`<${hex(from, length)}> <${hex(to, length)}> ${first}`)
      from = first < 0 ? from + 1 : to + 1
    }
  }
  return lines
}

function divideLists(kind: string, lines: readonly string[]): string[] {
  const lists: string[] = []
  for (let at = 0; at < lines.length; at += LIST_LENGTH) {
    const some = lines.slice(at, at + LIST_LENGTH)
    lists.push(`${some.length} begin${kind}\n${some.join('\n')}\nend${kind}`)
  }
  return lists
}

const hex = (code: number, bytes: number): string =>
  code
    .toString(16)
    .toUpperCase()
    .padStart(2 * bytes, '0')

/** Of the characters that the font below has; what it calls them by. */
function readOrdering(store: ObjectStore, font: PdfDict): string {
  const resolve = (object: PdfObject | undefined): PdfObject | undefined => resolveObject(store, object)
  const below = resolve(font.get('DescendantFonts'))
  const first = below instanceof PdfArray ? resolve(below.at(0)) : undefined
  const system = first instanceof PdfDict ? resolve(first.get('CIDSystemInfo')) : undefined
  const ordering = system instanceof PdfDict ? resolve(system.get('Ordering')) : undefined
  const text = ordering instanceof PdfString ? ordering.asString() : ''
  return /^[A-Za-z\d-]{1,32}$/.test(text) ? text : 'Identity'
}
