import { deflateSync } from 'node:zlib'

const MEBIBYTE = 1 << 20
const CLEAR_TABLE = 256

/** So many MiB of zeros as a zlib stream of a thousandth of that size; no process has to make them in full. */
export function deflateZeros(mebibytes: number): Buffer {
  // a full flush ends the block on a byte and forgets what came before, so the block can stand after itself
  const block = deflateSync(Buffer.alloc(MEBIBYTE), { level: 9, finishFlush: 3 })
  const end = Buffer.from([0x03, 0x00, 0, 0, 0, 0])
  // Adler-32 of n zeros (RFC 1950 section 8.2)
  end.writeUInt32BE((((mebibytes * MEBIBYTE) % 65_521) * 65_536 + 1) >>> 0, 2)
  return Buffer.concat([block.subarray(0, 2), ...Array.from({ length: mebibytes }, () => block.subarray(2)), end])
}

/** Zeros as LZW (ISO 32000-2 section 7.4.4), 7.4 MB from each cycle: a code stands for one byte more than the one before. */
export function lzwZeros(cycles: number): Buffer {
  const bytes: number[] = []
  let held = 0
  let bits = 0
  const put = (code: number, width: number): void => {
    held = (held << width) | code
    for (bits += width; bits >= 8; bits -= 8) bytes.push((held >>> (bits - 8)) & 255)
    held &= 255
  }
  put(CLEAR_TABLE, 9)
  put(0, 9)
  for (let next = 258; next < 4095; next++) put(next, next >= 2047 ? 12 : next >= 1023 ? 11 : next >= 511 ? 10 : 9)
  // the table is cleared until the cycle ends on a byte, so that it can stand after itself
  put(CLEAR_TABLE, 12)
  for (let left = (8 - bits) % 8; left > 0; left--) put(CLEAR_TABLE, 9)
  return Buffer.concat(Array.from({ length: cycles }, () => Buffer.from(bytes)))
}

/** Zeros as run lengths (ISO 32000-2 section 7.4.5): two bytes for 128. */
export const runLengthZeros = (mebibytes: number): Buffer =>
  Buffer.alloc((mebibytes * MEBIBYTE) / 64, '\x81\0', 'latin1')

/** ASCII base-85 (ISO 32000-2 section 7.4.3). */
export function encodeAscii85(bytes: Uint8Array): string {
  const padded = Buffer.concat([bytes, Buffer.alloc(3)])
  let text = ''
  for (let at = 0; at < bytes.length; at += 4) {
    let word = padded.readUInt32BE(at)
    let group = ''
    for (let i = 0; i < 5; i++) {
      group = String.fromCharCode(33 + (word % 85)) + group
      word = Math.floor(word / 85)
    }
    text += bytes.length - at >= 4 && group === '!!!!!' ? 'z' : group.slice(0, Math.min(5, bytes.length - at + 1))
  }
  return `${text}~>`
}
