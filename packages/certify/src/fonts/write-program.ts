import type { FontProgram } from './font-program.ts'

/** Where codes stand in a map for symbols. */
const SYMBOLS = 0xf000
const CODES = 256

/**
 * The font with one meaning for each code, by whichever map it is read: its outlines and all else stand as they were, behind a
 * directory that names each table once.
 */
export function writeProgram({ bytes, tables }: FontProgram, glyphs: readonly number[]): Buffer {
  const replaced = new Map<string, Buffer>([
    ['cmap', writeMaps(glyphs)],
    ['post', writeNameless()],
  ])
  const tags = [...new Set([...tables.keys(), ...replaced.keys()])].toSorted()
  const directory = Buffer.alloc(12 + 16 * tags.length)
  bytes.copy(directory, 0, 0, 4)
  const power = Math.floor(Math.log2(tags.length))
  directory.writeUInt16BE(tags.length, 4)
  directory.writeUInt16BE(16 * 2 ** power, 6)
  directory.writeUInt16BE(power, 8)
  directory.writeUInt16BE(16 * (tags.length - 2 ** power), 10)
  const padding = Buffer.alloc(-bytes.length & 3)
  const parts = [directory, bytes, padding]
  let end = directory.length + bytes.length + padding.length
  for (const [i, tag] of tags.entries()) {
    const entry = 12 + 16 * i
    directory.write(tag, entry, 'latin1')
    const table = replaced.get(tag)
    const { offset, length, sum } = table === undefined ? tables.get(tag)! : place(table)
    directory.writeUInt32BE(sum, entry + 4)
    directory.writeUInt32BE(table === undefined ? offset + directory.length : offset, entry + 8)
    directory.writeUInt32BE(length, entry + 12)
  }
  return Buffer.concat(parts)

  function place(table: Buffer): { offset: number; length: number; sum: number } {
    const offset = end
    parts.push(table)
    end += table.length
    let sum = 0
    for (let at = 0; at < table.length; at += 4) sum = (sum + table.readUInt32BE(at)) >>> 0
    return { offset, length: table.length, sum }
  }
}

/** OpenType, cmap table: codes as they are for Macintosh (format 6), and behind 0xF000 for symbols (format 4). */
function writeMaps(glyphs: readonly number[]): Buffer {
  const list = Buffer.alloc(2 * CODES)
  for (let code = 0; code < CODES; code++) list.writeUInt16BE(glyphs[code] ?? 0, 2 * code)
  const trimmed = words(6, 10 + list.length, 0, 0, CODES)
  const last = SYMBOLS + CODES - 1
  // two segments: the codes, and the one that ends every such map
  const ends = [last, 0xffff]
  const starts = [SYMBOLS, 0xffff]
  const segments = words(4, 32 + list.length, 0, 4, 4, 1, 0, ...ends, 0, ...starts, 0, 1, 4, 0)
  const head = words(0, 2, 1, 0, 0, 20, 3, 0, 0, 20 + trimmed.length + list.length)
  const table = Buffer.concat([head, trimmed, list, segments, list])
  return Buffer.concat([table, Buffer.alloc(-table.length & 3)])
}

/** OpenType, post table, version 3: glyphs without names. */
function writeNameless(): Buffer {
  const table = Buffer.alloc(32)
  table.writeUInt32BE(0x00030000)
  return table
}

function words(...values: number[]): Buffer {
  const buffer = Buffer.alloc(2 * values.length)
  for (const [i, value] of values.entries()) buffer.writeUInt16BE(value, 2 * i)
  return buffer
}
