import { constants, inflateRawSync } from 'node:zlib'
import { hasDeflateHeader } from './trim-start.ts'

/** The flag in the second byte by which deflated data ask for a dictionary, which a PDF cannot give (RFC 1950 section 2.2). */
const WANTS_DICTIONARY = 0x20

/**
 * Unpacks deflated data as readers do, without a look at the checksum, and at the size of the window, which may be too small for
 * what was done. Data that are cut give what they have.
 * @returns undefined where there is a fault within, or more than `maxBytes`.
 */
export function inflateUnchecked(data: Uint8Array, maxBytes: number): Buffer | undefined {
  if (!hasDeflateHeader(data) || (data[1]! & WANTS_DICTIONARY) !== 0) return undefined
  try {
    return inflateRawSync(data.subarray(2), { maxOutputLength: maxBytes, finishFlush: constants.Z_SYNC_FLUSH })
  } catch {
    return undefined
  }
}

/**
 * What deflated data have before a fault within them: readers go on for different lengths behind it.
 * @returns nothing where not even their beginning can be unpacked, or there is more than `maxBytes`.
 */
export function inflateUntilFault(data: Uint8Array, maxBytes: number): Buffer {
  // of a part that ends before the fault all can be unpacked
  let [sound, faulty] = [2, data.length]
  while (faulty - sound > 1) {
    const middle = (sound + faulty) >> 1
    if (inflateUnchecked(data.subarray(0, middle), maxBytes) === undefined) faulty = middle
    else sound = middle
  }
  return inflateUnchecked(data.subarray(0, sound), maxBytes) ?? Buffer.alloc(0)
}
