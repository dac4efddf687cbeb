const HEAD_BYTES = 12
const ENTRY_BYTES = 16
/** What the sums of all tables come to (OpenType, head table). */
const SUM_OF_ALL = 0xb1b0afba

/** A TrueType font of these tables (OpenType, Organization of an OpenType font). */
export function writeTables(tables: ReadonlyMap<string, Buffer>): Buffer {
  const tags = [...tables.keys()].toSorted()
  const directory = Buffer.alloc(HEAD_BYTES + ENTRY_BYTES * tags.length)
  const power = Math.floor(Math.log2(tags.length))
  directory.writeUInt32BE(0x00010000, 0)
  directory.writeUInt16BE(tags.length, 4)
  directory.writeUInt16BE(ENTRY_BYTES * 2 ** power, 6)
  directory.writeUInt16BE(power, 8)
  directory.writeUInt16BE(ENTRY_BYTES * (tags.length - 2 ** power), 10)
  const parts = [directory]
  let at = directory.length
  let headAt = 0
  for (const [i, tag] of tags.entries()) {
    const table = tables.get(tag)!
    const padded = Buffer.concat([table, Buffer.alloc(-table.length & 3)])
    if (tag === 'head') {
      padded.writeUInt32BE(0, 8)
      headAt = at
    }
    const entry = HEAD_BYTES + ENTRY_BYTES * i
    directory.write(tag, entry, 'latin1')
    directory.writeUInt32BE(addUp(padded), entry + 4)
    directory.writeUInt32BE(at, entry + 8)
    directory.writeUInt32BE(table.length, entry + 12)
    parts.push(padded)
    at += padded.length
  }
  const font = Buffer.concat(parts)
  font.writeUInt32BE((SUM_OF_ALL - addUp(font)) >>> 0, headAt + 8)
  return font
}

function addUp(table: Buffer): number {
  let sum = 0
  for (let at = 0; at < table.length; at += 4) sum = (sum + table.readUInt32BE(at)) >>> 0
  return sum
}
