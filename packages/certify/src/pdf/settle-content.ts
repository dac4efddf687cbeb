import { PdfDict, PdfStream } from '@libpdf/core'
import { constants, deflateSync, inflateSync } from 'node:zlib'
import { Refusal } from '../errors.ts'
import { inflateUnchecked } from './inflate-unchecked.ts'
import { listContents } from './read-content.ts'
import { DEFLATE_LEVEL, type ObjectStore } from './object-store.ts'
import { isDeflated } from './trim-start.ts'

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
    const inflated = inflateMost(stream.data)
    if (inflated === undefined) throw new Refusal('unreadable', 'the content of a page cannot be unpacked')
    // other filters may follow
    const sound = new PdfStream(stream, deflateSync(inflated, { level: DEFLATE_LEVEL }))
    if (number !== undefined) store.objects[number] = sound
  }
}

/** Whether a stream has a fault within its deflated data, or nobody can unpack it. */
export function isBroken(stream: PdfStream): boolean {
  const { data } = stream
  return data.length > 0 && isDeflated(stream) && !isSound(data) && inflateMost(data) === undefined
}

function inflateMost(data: Uint8Array): Buffer | undefined {
  const inflated = inflateUnchecked(data, MAX_CONTENT_BYTES)
  return inflated === undefined || inflated.length === 0 ? undefined : inflated
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
