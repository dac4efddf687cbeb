import { deflateSync } from 'node:zlib'
import { writeChunk } from './raw-png.ts'

const fixed = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(Math.round(value * 65_536))
  return bytes
}
const element = (kind: string, ...parts: Uint8Array[]): Buffer =>
  Buffer.concat([Buffer.from(kind, 'latin1'), Buffer.alloc(4), ...parts])
const place = (...xyz: number[]): Buffer => element('XYZ ', ...xyz.map(fixed))

/** Primaries of sRGB, adapted to D50. */
const RED = place(0.4361, 0.2225, 0.0139)
const GREEN = place(0.3851, 0.7169, 0.0971)
const BLUE = place(0.1431, 0.0606, 0.7141)
const WHITE = place(0.9642, 1, 0.8249)
/** A power of 2.2. */
const CURVE = element('curv', Buffer.from([0, 0, 0, 1, 0x02, 0x33]))
/** A power of 1: the numbers are light itself, so that greys come out much lighter. */
const LINEAR = element('curv', Buffer.from([0, 0, 0, 0]))

export interface ProfileOptions {
  /** Four letters. */
  space?: string
  tags?: Record<string, Uint8Array>
  /** Of the element without meaning that makes the profile longer. */
  paddingBytes?: number
}

const INVERTED = element('curv', Buffer.from([0, 0, 0, 2, 0xff, 0xff, 0, 0]))

/** Adobe RGB: greener and redder than what most profiles say, so that who does not heed it is found out. */
export const ADOBE = {
  rXYZ: place(0.6097, 0.3111, 0.0195),
  gXYZ: place(0.2053, 0.6257, 0.0609),
  bXYZ: place(0.1492, 0.0632, 0.7446),
  rTRC: CURVE,
  gTRC: CURVE,
  bTRC: CURVE,
}
/** A profile that calls red what others call blue. */
export const SWAPPED = { rXYZ: BLUE, gXYZ: GREEN, bXYZ: RED, rTRC: CURVE, gTRC: CURVE, bTRC: CURVE }
/** Shows black as white. */
export const INVERTED_GREY = { kTRC: INVERTED }
export const LINEAR_GREY = { kTRC: LINEAR }

export function makeProfile({ space = 'RGB ', tags = ADOBE, paddingBytes = 0 }: ProfileOptions = {}): Buffer {
  const text = element('text', Buffer.from('x\0'))
  const padding = paddingBytes > 0 ? { pad0: element('data', Buffer.alloc(paddingBytes, 7)) } : {}
  const all = Object.entries({ desc: text, cprt: text, wtpt: WHITE, ...tags, ...padding })
  const table = Buffer.alloc(4 + 12 * all.length)
  table.writeUInt32BE(all.length)
  const bodies: Buffer[] = []
  let offset = 128 + table.length
  for (const [i, [name, body]] of all.entries()) {
    table.write(name, 4 + 12 * i, 'latin1')
    table.writeUInt32BE(offset, 8 + 12 * i)
    table.writeUInt32BE(body.length, 12 + 12 * i)
    const padded = Buffer.concat([body, Buffer.alloc((4 - (body.length % 4)) % 4)])
    bodies.push(padded)
    offset += padded.length
  }
  const header = Buffer.alloc(128)
  header.writeUInt32BE(offset)
  header.writeUInt32BE(0x02_20_00_00, 8)
  header.write(`mntr${space}XYZ `, 12, 'latin1')
  header.write('acsp', 36, 'latin1')
  WHITE.copy(header, 68, 8)
  return Buffer.concat([header, table, ...bodies])
}

const MOST_IN_SEGMENT = 65_519

/** Puts a profile behind the first marker of a JPEG, in as many pieces as it needs. */
export function addProfileToJpeg(jpeg: Buffer, profile: Uint8Array): Buffer {
  const count = Math.ceil(profile.length / MOST_IN_SEGMENT)
  const segments = Array.from({ length: count }, (_, i) => {
    const piece = profile.subarray(i * MOST_IN_SEGMENT, (i + 1) * MOST_IN_SEGMENT)
    const head = Buffer.from([0xff, 0xe2, 0, 0, ...Buffer.from('ICC_PROFILE\0'), i + 1, count])
    head.writeUInt16BE(piece.length + 16, 2)
    return Buffer.concat([head, piece])
  })
  return Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)])
}

export function addProfileToPng(png: Buffer, profile: Uint8Array): Buffer {
  return addChunkToPng(png, writeChunk('iCCP', Buffer.concat([Buffer.from('p\0\0'), deflateSync(profile)])))
}

/** Behind the header, which every PNG has first. */
export function addChunkToPng(png: Buffer, chunk: Uint8Array): Buffer {
  return Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)])
}
