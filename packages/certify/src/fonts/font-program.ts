import { MACINTOSH_ORDER } from './latin-glyphs.ts'

/** What a reader may look a code up in. */
export interface CharacterMap {
  platform: number
  encoding: number
  /** The glyph of a code, 0 for none. */
  find(code: number): number
}

/** A TrueType font as it is embedded: what says which glyph a code has, and what the glyphs look like. */
export interface FontProgram {
  bytes: Buffer
  tables: ReadonlyMap<string, Table>
  /** In the order of the font. */
  maps: readonly CharacterMap[]
  /** By number of the glyph; undefined when the font names none. */
  glyphNames: readonly string[] | undefined
  /** Something in it is read by each reader in a way of its own. */
  isOdd: boolean
  /** Its outline as the font holds it; empty for a glyph that shows nothing. */
  findOutline(glyph: number): Buffer
  /** The first glyph that shows nothing, but for the one of missing codes, for which readers may show a sign; 0 when all show something. */
  findBlank(): number
}

interface Table {
  offset: number
  length: number
  sum: number
}

const NOTHING = Buffer.alloc(0)
/** Version 1.0, and `true` for Apple (OpenType, Organization of an OpenType font). */
const VERSIONS = new Set([0x00010000, 0x74727565])
/** Tables that say how text looks: of two, each reader takes another. */
const SINGLE = new Set(['cmap', 'glyf', 'head', 'hhea', 'hmtx', 'loca', 'maxp', 'post'])

/** @returns undefined for what is no TrueType font, or has no outlines where they should be. */
export function readFontProgram(bytes: Buffer): FontProgram | undefined {
  if (bytes.length < 12 || !VERSIONS.has(bytes.readUInt32BE(0))) return undefined
  const tables = new Map<string, Table>()
  let isOdd = false
  for (let entry = 12; entry < 12 + 16 * bytes.readUInt16BE(4) && entry + 16 <= bytes.length; entry += 16) {
    const tag = bytes.toString('latin1', entry, entry + 4)
    const offset = bytes.readUInt32BE(entry + 8)
    const length = Math.min(bytes.readUInt32BE(entry + 12), bytes.length - offset)
    if (length <= 0) continue
    if (tables.has(tag) && SINGLE.has(tag)) isOdd = true
    tables.set(tag, { offset, length, sum: bytes.readUInt32BE(entry + 4) })
  }
  const cut = (tag: string): Buffer => {
    const table = tables.get(tag)
    return table === undefined ? NOTHING : bytes.subarray(table.offset, table.offset + table.length)
  }
  const [head, loca, glyf] = [cut('head'), cut('loca'), cut('glyf')]
  if (head.length < 52 || loca.length < 4) return undefined
  const isLong = head.readInt16BE(50) !== 0
  const findStart = (glyph: number): number => {
    const at = glyph * (isLong ? 4 : 2)
    if (at + (isLong ? 4 : 2) > loca.length) return glyf.length
    return isLong ? loca.readUInt32BE(at) : 2 * loca.readUInt16BE(at)
  }
  const { maps, isOdd: hasOddMap } = readMaps(cut('cmap'))
  const maxp = cut('maxp')
  const count = Math.min(maxp.length < 6 ? 0 : maxp.readUInt16BE(4), loca.length / (isLong ? 4 : 2) - 1)
  const findOutline = (glyph: number): Buffer =>
    glyph <= 0 ? NOTHING : glyf.subarray(findStart(glyph), findStart(glyph + 1))
  return {
    bytes,
    tables,
    maps,
    glyphNames: readNames(cut('post')),
    isOdd: isOdd || hasOddMap,
    findOutline,
    findBlank() {
      for (let glyph = 1; glyph < count; glyph++) if (findOutline(glyph).length === 0) return glyph
      return 0
    },
  }
}

/** Fonts have a few. */
const MOST_MAPS = 64

/** OpenType, cmap table. */
function readMaps(cmap: Buffer): { maps: CharacterMap[]; isOdd: boolean } {
  const maps: CharacterMap[] = []
  let isOdd = false
  const known = new Set<string>()
  const named = cmap.length < 4 ? 0 : cmap.readUInt16BE(2)
  const count = Math.min(named, MOST_MAPS)
  if (named > count) isOdd = true
  for (let entry = 4; entry < 4 + 8 * count && entry + 8 <= cmap.length; entry += 8) {
    const [platform, encoding] = [cmap.readUInt16BE(entry), cmap.readUInt16BE(entry + 2)]
    const table = cmap.subarray(cmap.readUInt32BE(entry + 4))
    const reading = table.length < 8 ? undefined : readMap(table)
    // sequences of variation say nothing about single codes
    if (reading === undefined && table.length >= 2 && table.readUInt16BE(0) === 14) continue
    if (reading === undefined || reading.isOdd || known.has(`${platform} ${encoding}`)) isOdd = true
    known.add(`${platform} ${encoding}`)
    if (reading === undefined) continue
    const found = new Map<number, number>()
    const find = (code: number): number => {
      const glyph = found.get(code) ?? reading.find(code)
      found.set(code, glyph)
      return glyph
    }
    maps.push({ platform, encoding, find })
  }
  return { maps, isOdd }
}

type Reading = Pick<CharacterMap, 'find'> & { isOdd: boolean }

/** @returns undefined for the formats that not all readers know. */
function readMap(table: Buffer): Reading | undefined {
  const at = (offset: number): number => (offset + 2 <= table.length ? table.readUInt16BE(offset) : 0)
  const format = at(0)
  if (format === 0) return { find: (code) => (code < 256 ? (table[6 + code] ?? 0) : 0), isOdd: table.length < 262 }
  if (format === 6) {
    const [first, count] = [at(6), at(8)]
    const find = (code: number): number => (code >= first && code < first + count ? at(10 + 2 * (code - first)) : 0)
    return { find, isOdd: table.length < 10 + 2 * count }
  }
  if (format === 4) return readSegments(table, at)
  return format === 12 ? readGroups(table) : undefined
}

/** Format 4. */
function readSegments(table: Buffer, at: (offset: number) => number): Reading {
  const segments = at(6) >> 1
  const [ends, starts] = [14, 16 + 2 * segments]
  const [deltas, offsets] = [starts + 2 * segments, starts + 4 * segments]
  let isOdd = table.length < offsets + 2 * segments
  for (let i = 1; i < segments && !isOdd; i++) if (at(starts + 2 * i) <= at(ends + 2 * (i - 1))) isOdd = true
  const findIn = (i: number, code: number): number => {
    const place = offsets + 2 * i
    const offset = at(place)
    if (offset === 0) return (code + at(deltas + 2 * i)) & 0xffff
    const glyph = offset === 0xffff ? 0 : at(place + offset + 2 * (code - at(starts + 2 * i)))
    return glyph === 0 ? 0 : (glyph + at(deltas + 2 * i)) & 0xffff
  }
  // some readers shift what is no glyph, too
  for (let i = 0; i < segments && !isOdd; i++) {
    if (at(offsets + 2 * i) === 0 || at(deltas + 2 * i) === 0 || at(starts + 2 * i) === 0xffff) continue
    for (let code = at(starts + 2 * i); code <= at(ends + 2 * i) && !isOdd; code++)
      if (findIn(i, code) === 0) isOdd = true
  }
  const find = (code: number): number => {
    for (let i = 0; i < segments; i++) {
      if (code > at(ends + 2 * i)) continue
      if (code >= at(starts + 2 * i)) return findIn(i, code)
      if (!isOdd) return 0
    }
    return 0
  }
  return { find, isOdd }
}

/** Format 12. */
function readGroups(table: Buffer): Reading {
  const count = table.length < 16 ? 0 : Math.min(table.readUInt32BE(12), Math.floor((table.length - 16) / 12))
  let isOdd = false
  for (let at = 28; at < 16 + 12 * count; at += 12)
    if (table.readUInt32BE(at) <= table.readUInt32BE(at - 8)) isOdd = true
  const find = (code: number): number => {
    for (let at = 16; at < 16 + 12 * count; at += 12) {
      const [first, last] = [table.readUInt32BE(at), table.readUInt32BE(at + 4)]
      if (code >= first && code <= last) return table.readUInt32BE(at + 8) + code - first
    }
    return 0
  }
  return { find, isOdd }
}

/** OpenType, post table. @returns undefined when it names no glyphs. */
function readNames(post: Buffer): string[] | undefined {
  if (post.length < 32) return undefined
  const version = post.readUInt32BE(0)
  if (version === 0x00010000) return [...MACINTOSH_ORDER]
  if (version !== 0x00020000 || post.length < 34) return undefined
  const count = Math.min(post.readUInt16BE(32), (post.length - 34) >> 1)
  const own: string[] = []
  for (let at = 34 + 2 * count; at < post.length; at += 1 + post[at]!)
    own.push(post.toString('latin1', at + 1, at + 1 + post[at]!))
  return Array.from({ length: count }, (_, glyph) => {
    const index = post.readUInt16BE(34 + 2 * glyph)
    return MACINTOSH_ORDER[index] ?? own[index - MACINTOSH_ORDER.length] ?? ''
  })
}
