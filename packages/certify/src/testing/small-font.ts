/** A map of a font from codes to glyphs, in a format of its own: 4 is for Unicode and symbols, 6 for Macintosh. */
export interface SmallMap {
  platform: number
  encoding: number
  glyphs: Readonly<Record<number, number>>
}

/** Glyphs are boxes in an em of 1000 units: 1 fills it, 2 is a bar at its foot, 3 one at its head. */
const BOXES = [
  [0, 0, 900, 900],
  [0, 0, 900, 200],
  [0, 700, 900, 900],
] as const

const words = (...values: number[]): Buffer => {
  const buffer = Buffer.alloc(2 * values.length)
  for (const [i, value] of values.entries()) buffer.writeUInt16BE(value & 0xffff, 2 * i)
  return buffer
}

/** A TrueType font with three glyphs beside the empty one, and whatever maps. @param names For a table `post` that names them. */
export function makeSmallFont(maps: readonly SmallMap[], names?: readonly string[]): Buffer {
  const outlines = BOXES.map(([left, bottom, right, top]) =>
    Buffer.concat([
      words(1, left, bottom, right, top, 3, 0),
      Buffer.from([1, 1, 1, 1]),
      words(left, 0, right - left, 0),
      words(bottom, top - bottom, 0, bottom - top),
    ]),
  )
  const starts = [0, 0]
  for (const outline of outlines) starts.push(starts.at(-1)! + outline.length / 2)
  const tables: Record<string, Buffer> = {
    cmap: writeMaps(maps),
    glyf: Buffer.concat(outlines),
    head: words(1, 0, 1, 0, 0, 0, 0x5f0f, 0x3cf5, 0, 1000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 900, 900, 0, 8, 2, 0, 0),
    hhea: words(1, 0, 900, 0, 0, 1000, 0, 0, 1000, 1, 0, 0, 0, 0, 0, 0, 0, 4),
    hmtx: words(1000, 0, 1000, 0, 1000, 0, 1000, 0),
    loca: words(...starts),
    maxp: words(1, 0, 4, 4, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0),
  }
  if (names !== undefined) tables['post'] = writeNames(names)
  return writeTables(tables)
}

function writeTables(tables: Record<string, Buffer>): Buffer {
  const tags = Object.keys(tables).toSorted()
  const directory: Buffer[] = [words(1, 0, tags.length, 64, 2, 16 * tags.length - 64)]
  const parts: Buffer[] = []
  let at = 12 + 16 * tags.length
  for (const tag of tags) {
    const table = Buffer.concat([tables[tag]!, Buffer.alloc(-tables[tag]!.length & 3)])
    const entry = Buffer.alloc(16)
    entry.write(tag, 'latin1')
    entry.writeUInt32BE(at, 8)
    entry.writeUInt32BE(tables[tag]!.length, 12)
    directory.push(entry)
    parts.push(table)
    at += table.length
  }
  return Buffer.concat([...directory, ...parts])
}

function writeMaps(maps: readonly SmallMap[]): Buffer {
  const head = [words(0, maps.length)]
  const parts: Buffer[] = []
  let at = 4 + 8 * maps.length
  for (const { platform, encoding, glyphs } of maps) {
    const codes = Object.keys(glyphs)
      .map(Number)
      .toSorted((a, b) => a - b)
    const map = platform === 1 ? writeTrimmed(codes, glyphs) : writeSegments(codes, glyphs)
    head.push(words(platform, encoding, 0, at))
    parts.push(map)
    at += map.length
  }
  return Buffer.concat([...head, ...parts])
}

function writeTrimmed(codes: number[], glyphs: SmallMap['glyphs']): Buffer {
  const first = codes[0] ?? 0
  const list = Array.from({ length: (codes.at(-1) ?? 0) - first + 1 }, (_, i) => glyphs[first + i] ?? 0)
  return words(6, 10 + 2 * list.length, 0, first, list.length, ...list)
}

function writeSegments(codes: number[], glyphs: SmallMap['glyphs']): Buffer {
  const ends = [...codes, 0xffff]
  const deltas = [...codes.map((code) => glyphs[code]! - code), 1]
  const count = ends.length
  return words(
    4,
    16 + 8 * count,
    0,
    2 * count,
    2,
    0,
    2 * count - 2,
    ...ends,
    0,
    ...ends,
    ...deltas,
    ...ends.map(() => 0),
  )
}

function writeNames(names: readonly string[]): Buffer {
  const all = ['.notdef', ...names]
  const own = all.map((name) => Buffer.concat([Buffer.from([name.length]), Buffer.from(name, 'latin1')]))
  const indices = words(all.length, ...all.map((_, i) => 258 + i))
  return Buffer.concat([words(2, ...Array.from({ length: 15 }, () => 0)), indices, ...own])
}
