import { PdfDict, PdfStream } from '@libpdf/core'
import { constants, deflateSync, inflateRawSync, inflateSync } from 'node:zlib'
import { Refusal } from '../errors.ts'
import { listContents } from './read-content.ts'
import { DEFLATE_LEVEL, type ObjectStore } from './object-store.ts'
import { hasDeflateHeader, isDeflated } from './trim-start.ts'

/** Content of one page, unpacked. */
const MAX_CONTENT_BYTES = 128 << 20

/**
 * Sees to it that what a page draws with can be unpacked. Data whose checksum is wrong are taken whole, as by all readers. Behind
 * a fault some readers go on, others stop: such a file is refused, and so is one whose page nobody can read.
 * @throws Refusal `unreadable`.
 */
export function settleContent(store: ObjectStore, page: PdfDict): void {
  for (const { stream, number } of listContents(store, page.get('Contents'))) {
    if (stream.data.length === 0) continue
    if (!stream.has('Filter')) {
      checkEnd(stream)
      continue
    }
    if (!isDeflated(stream) || isSound(stream.data)) continue
    const inflated = inflateUnchecked(stream.data)
    if (inflated === undefined || inflated.length === 0) {
      throw new Refusal('unreadable', 'the content of a page cannot be unpacked')
    }
    // other filters may follow
    const sound = new PdfStream(stream, deflateSync(inflated, { level: DEFLATE_LEVEL }))
    if (number !== undefined) store.objects[number] = sound
  }
}

/** The flag in the second byte by which deflated data ask for a dictionary, which a PDF cannot give (RFC 1950 section 2.2). */
const WANTS_DICTIONARY = 0x20

/** Without a look at the checksum and at the size of the window, which may be too small for what was done. */
function inflateUnchecked(data: Uint8Array): Uint8Array | undefined {
  if (!hasDeflateHeader(data) || (data[1]! & WANTS_DICTIONARY) !== 0) return undefined
  try {
    const finishFlush = constants.Z_SYNC_FLUSH
    return inflateRawSync(data.subarray(2), { maxOutputLength: MAX_CONTENT_BYTES, finishFlush })
  } catch {
    return undefined
  }
}

/** Other data than deflated ones inside deflate are looked at when they are joined or measured. */
function isSound(data: Uint8Array): boolean {
  try {
    inflateSync(data, { maxOutputLength: MAX_CONTENT_BYTES, finishFlush: constants.Z_SYNC_FLUSH })
    return true
  } catch (error) {
    // too long is for the measure of streams to say
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
  }
}

/** Without its end, a stream goes on into the objects behind it for some readers, and ends where it says for others. */
function checkEnd({ data }: PdfStream): void {
  const text = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  if (text.includes('endobj') && /endobj\s+\d+\s+\d+\s+obj/.test(text.toString('latin1'))) {
    throw new Refusal('unreadable', 'content without an end')
  }
  if (text.includes('endstream') && /endstream\s+\S/.test(text.toString('latin1'))) {
    throw new Refusal('unreadable', 'content with an end within')
  }
}
