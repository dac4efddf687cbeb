/** The tables of a TrueType font that a PDF viewer needs. */
const TAGS = ['glyf', 'head', 'hhea', 'hmtx', 'loca', 'maxp'] as const

export type SfntTables = Record<(typeof TAGS)[number], DataView>

/** Magic number that makes the sum of the whole file come out (OpenType, head table). */
const WHOLE_SUM = 0xb1b0afba

/** @throws Error when a table is missing. */
export function readSfnt(bytes: Uint8Array): SfntTables {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const tables: Partial<SfntTables> = {}
  for (let i = 0; i < view.getUint16(4); i++) {
    const entry = 12 + 16 * i
    const tag = TAGS.find((name) => view.getUint32(entry) === Buffer.from(name, 'latin1').readUInt32BE(0))
    if (tag === undefined) continue
    tables[tag] = new DataView(bytes.buffer, bytes.byteOffset + view.getUint32(entry + 8), view.getUint32(entry + 12))
  }
  for (const tag of TAGS) if (tables[tag] === undefined) throw new Error(`a font without ${tag} table`)
  return tables as SfntTables
}

/** OpenType, "Organization of an OpenType font": directory, then the tables in the same order, each aligned to 4 bytes. */
export function writeSfnt(tables: SfntTables): Uint8Array {
  const sizes = TAGS.map((tag) => (tables[tag].byteLength + 3) & ~3)
  const start = 12 + 16 * TAGS.length
  const file = Buffer.alloc(start + sizes.reduce((sum, size) => sum + size, 0))
  file.writeUInt32BE(0x00010000, 0)
  file.writeUInt16BE(TAGS.length, 4)
  const power = Math.floor(Math.log2(TAGS.length))
  file.writeUInt16BE(16 * 2 ** power, 6)
  file.writeUInt16BE(power, 8)
  file.writeUInt16BE(16 * TAGS.length - 16 * 2 ** power, 10)
  let at = start
  let head = 0
  for (const [i, tag] of TAGS.entries()) {
    const { buffer, byteOffset, byteLength } = tables[tag]
    file.set(new Uint8Array(buffer, byteOffset, byteLength), at)
    if (tag === 'head') head = at
    const entry = 12 + 16 * i
    file.write(tag, entry, 'latin1')
    file.writeUInt32BE(sumWords(file.subarray(at, at + sizes[i]!)), entry + 4)
    file.writeUInt32BE(at, entry + 8)
    file.writeUInt32BE(byteLength, entry + 12)
    at += sizes[i]!
  }
  file.writeUInt32BE((WHOLE_SUM - sumWords(file)) >>> 0, head + 8)
  return file
}

function sumWords(bytes: Buffer): number {
  let sum = 0
  for (let i = 0; i < bytes.length; i += 4) sum = (sum + bytes.readUInt32BE(i)) >>> 0
  return sum
}
