import { PdfDict, PdfStream } from '@libpdf/core'
import { constants, inflateSync } from 'node:zlib'
import { Refusal } from '../errors.ts'
import { decodeContent, listContents } from './read-content.ts'
import { makeStream, type ObjectStore } from './object-store.ts'
import { hasDeflateHeader, isDeflated } from './trim-start.ts'

/** Content of one page, unpacked. */
const MAX_CONTENT_BYTES = 128 << 20

/**
 * Sees to it that what a page draws with can be unpacked. Of data with a fault only what comes before it stays, as readers
 * have it; where they would not agree on that, the file is refused: a page is never copied that nobody can read.
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
    const decoded = hasDeflateHeader(stream.data) ? decodeContent(store, stream, MAX_CONTENT_BYTES) : undefined
    if (decoded === undefined || decoded.length === 0) {
      throw new Refusal('unreadable', 'the content of a page cannot be unpacked')
    }
    if (number !== undefined) store.objects[number] = makeStream({}, decoded)
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
