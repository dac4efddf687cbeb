import { MACINTOSH_ORDER } from './latin-glyphs.ts'

/** What a reader may look a code up in. */
export interface CharacterMap {
  platform: number
  encoding: number
  /** The glyph of a code, 0 for none. */
  find(code: number): number
  /** Whether it has an entry for the code, which may be that there is no glyph. */
  has(code: number): boolean
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
  const glyphs = maxp.length < 6 ? 0 : maxp.readUInt16BE(4)
  const names = readNames(cut('post'), glyphs)
  const count = Math.min(glyphs, loca.length / (isLong ? 4 : 2) - 1)
  const findOutline = (glyph: number): Buffer =>
    glyph <= 0 ? NOTHING : glyf.subarray(findStart(glyph), findStart(glyph + 1))
  return {
    bytes,
    tables,
    maps,
    glyphNames: names.glyphNames,
    isOdd: isOdd || hasOddMap || names.isOdd,
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
    maps.push({ platform, encoding, find, has: reading.has })
  }
  return { maps, isOdd }
}

type Reading = Pick<CharacterMap, 'find' | 'has'> & { isOdd: boolean }

/** @returns undefined for the formats that not all readers know. */
function readMap(table: Buffer): Reading | undefined {
  const at = (offset: number): number => (offset + 2 <= table.length ? table.readUInt16BE(offset) : 0)
  const format = at(0)
  if (format === 0) {
    const find = (code: number): number => (code < 256 ? (table[6 + code] ?? 0) : 0)
    return { find, has: (code) => find(code) !== 0, isOdd: table.length < 262 }
  }
  if (format === 6) {
    const [first, count] = [at(6), at(8)]
    const has = (code: number): boolean => code >= first && code < first + count
    return { find: (code) => (has(code) ? at(10 + 2 * (code - first)) : 0), has, isOdd: table.length < 10 + 2 * count }
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
  const findSegment = (code: number): number | undefined => {
    for (let i = 0; i < segments; i++) {
      if (code > at(ends + 2 * i)) continue
      if (code >= at(starts + 2 * i)) return i
      if (!isOdd) return undefined
    }
    return undefined
  }
  const find = (code: number): number => {
    const i = findSegment(code)
    return i === undefined ? 0 : findIn(i, code)
  }
  return { find, has: (code) => findSegment(code) !== undefined, isOdd }
}

/** Format 12. */
function readGroups(table: Buffer): Reading {
  const count = table.length < 16 ? 0 : Math.min(table.readUInt32BE(12), Math.floor((table.length - 16) / 12))
  let isOdd = false
  for (let at = 28; at < 16 + 12 * count; at += 12)
    if (table.readUInt32BE(at) <= table.readUInt32BE(at - 8)) isOdd = true
  const findGroup = (code: number): number | undefined => {
    for (let at = 16; at < 16 + 12 * count; at += 12)
      if (code >= table.readUInt32BE(at) && code <= table.readUInt32BE(at + 4)) return at
    return undefined
  }
  const find = (code: number): number => {
    const at = findGroup(code)
    return at === undefined ? 0 : table.readUInt32BE(at + 8) + code - table.readUInt32BE(at)
  }
  return { find, has: (code) => findGroup(code) !== undefined, isOdd }
}

type GlyphNames = Pick<FontProgram, 'glyphNames' | 'isOdd'>

const NO_NAMES: GlyphNames = { glyphNames: undefined, isOdd: false }
/** Where an index in the table is reserved. */
const FIRST_RESERVED = 0x8000

/** OpenType, post table. @param glyphs How many the font has: names of more or fewer the reviewer's reader does not believe. */
function readNames(post: Buffer, glyphs: number): GlyphNames {
  if (post.length < 32) return NO_NAMES
  const version = post.readUInt32BE(0)
  if (version === 0x00010000) return { glyphNames: MACINTOSH_ORDER, isOdd: false }
  if (version !== 0x00020000 || post.length < 34) return NO_NAMES
  const count = post.readUInt16BE(32)
  const indexes = Array.from({ length: Math.min(count, (post.length - 34) >> 1) }, (_, i) =>
    post.readUInt16BE(34 + 2 * i),
  )
  if (count !== glyphs || indexes.length < count || indexes.some((index) => index >= FIRST_RESERVED))
    return { glyphNames: undefined, isOdd: true }
  const own: string[] = []
  for (let at = 34 + 2 * count; at < post.length; at += 1 + post[at]!)
    own.push(post.toString('latin1', at + 1, at + 1 + post[at]!))
  const glyphNames = indexes.map((index) => MACINTOSH_ORDER[index] ?? own[index - MACINTOSH_ORDER.length] ?? '')
  return { glyphNames, isOdd: false }
}
