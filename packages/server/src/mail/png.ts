import { crc32, deflateSync } from 'node:zlib'

/** Shades of one colour, from nothing to full. They fit into half a byte; more would make the file larger, not finer. */
export const SHADES = 8

/** Each 0 to 255. */
export interface Colour {
  red: number
  green: number
  blue: number
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const BITS = 4
const INDEXED_COLOUR = 3

/**
 * A square PNG (ISO/IEC 15948) in one colour of varying opacity; small, because a pixel takes half a byte.
 * @param shades One a pixel, row by row, 0 (transparent) to 7 (full).
 */
export function encodePng(shades: Uint8Array, size: number, colour: Colour): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header.set([BITS, INDEXED_COLOUR, 0, 0, 0], 8)
  const palette = Buffer.alloc(3 * SHADES)
  const opacities = Buffer.alloc(SHADES)
  for (let shade = 0; shade < SHADES; shade++) {
    palette.set([colour.red, colour.green, colour.blue], 3 * shade)
    opacities[shade] = Math.round((255 * shade) / (SHADES - 1))
  }
  return Buffer.concat([
    SIGNATURE,
    writeChunk('IHDR', header),
    writeChunk('PLTE', palette),
    writeChunk('tRNS', opacities),
    writeChunk('IDAT', deflateSync(packRows(shades, size), { level: 6 })),
    writeChunk('IEND', Buffer.alloc(0)),
  ])
}

/** Two pixels a byte; each row begins with its filter, 0 for none. */
function packRows(shades: Uint8Array, size: number): Buffer {
  const rowBytes = 1 + Math.ceil(size / 2)
  const rows = Buffer.alloc(rowBytes * size)
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      const at = y * rowBytes + 1 + (x >> 1)
      const shade = shades[y * size + x] ?? 0
      rows[at] = (rows[at] ?? 0) | (x % 2 === 0 ? shade << BITS : shade)
    }
  return rows
}

function writeChunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const chunk = Buffer.alloc(8 + named.length)
  chunk.writeUInt32BE(data.length, 0)
  chunk.set(named, 4)
  chunk.writeUInt32BE(crc32(named), 4 + named.length)
  return chunk
}
