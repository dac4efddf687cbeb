import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BlobStore, ByteRange } from '../blobs/blob-store.ts'
import { AppError } from '../errors.ts'
import { namesTag, namesTagStrongly } from './entity-tags.ts'

export interface StoredFile {
  key: string
  /** Bytes. */
  size: number
  /** SHA-256 of the bytes, hex; the entity tag. */
  sha256: string
  mediaType: string
  /** The name a download gets; any text. */
  fileName: string
  disposition: 'inline' | 'attachment'
}

/**
 * Answers with a stored file: whole, the range asked for (RFC 9110 section 14), or 304 when the caller has it. Streams
 * at the caller's pace; the file is closed once, also when the caller goes away.
 * @throws AppError `file_not_matching`, `range_outside_file`, `file_altered` when the stored bytes are not those of the SHA-256, `file_missing`, `storage_unavailable`
 */
export async function sendBlob(
  request: FastifyRequest,
  reply: FastifyReply,
  blobs: BlobStore,
  file: StoredFile,
): Promise<FastifyReply> {
  reply.headers({
    etag: tagOf(file),
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache',
    'content-type': file.mediaType,
    'content-disposition': writeDisposition(file.disposition, file.fileName),
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
  })
  const range = judgeAsked(request, file)
  if (range === 'another') throw new AppError('file_not_matching')
  if (range === 'known') return sendNothing(request, reply.code(304))
  if (range === 'unsatisfiable')
    throw new AppError('range_outside_file', { headers: { 'content-range': `bytes */${file.size}` } })
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${file.size}`)
  const bytes = await blobs.readKnown(file.key, file, range)
  reply.header('content-length', range ? range.end - range.start + 1 : file.size)
  // A policy for pages would keep the browser's own viewer from showing a PDF.
  reply.removeHeader('content-security-policy')
  if (request.method !== 'HEAD') return reply.send(bytes)
  if (bytes instanceof Readable) bytes.destroy()
  return sendNothing(request, reply)
}

type BytesOfFile = Pick<StoredFile, 'size' | 'sha256'>

const tagOf = ({ sha256 }: BytesOfFile): string => `"${sha256}"`

/**
 * What a request is to be sent of a file, by its conditions and range. Files carry no date, so conditions of one are not for them.
 * Order: RFC 9110, section 13.2.2.
 * @returns undefined for the whole file; `known` where the caller has it, `another` where they want another one
 */
function judgeAsked(
  { method, headers }: FastifyRequest,
  file: BytesOfFile,
): ByteRange | 'another' | 'known' | 'unsatisfiable' | undefined {
  const tag = tagOf(file)
  const wanted = headers['if-match']
  if (wanted !== undefined && !namesTagStrongly(wanted, tag)) return 'another'
  if (namesTag(headers['if-none-match'], tag)) return 'known'
  // Parts are for GET alone (RFC 9110, section 14.2), and for who has the rest of these very bytes.
  const ifRange = headers['if-range']
  return method !== 'GET' || (ifRange !== undefined && ifRange !== tag)
    ? undefined
    : readRange(headers.range, file.size)
}

/** Whether a request is answered with all of a file at once. */
export const asksForWhole = (request: FastifyRequest, file: BytesOfFile): boolean =>
  judgeAsked(request, file) === undefined

/**
 * Sends the headers alone. To HEAD by an empty stream: for an empty body Fastify would say that the file has no bytes,
 * which a 304 must not say either (RFC 9110 section 8.6).
 */
export function sendNothing({ method }: FastifyRequest, reply: FastifyReply): FastifyReply {
  return method === 'HEAD' ? reply.send(Readable.from([])) : reply.send()
}

/** One range, as a viewer asks for it. Several at once, or what is none, mean the whole file (RFC 9110 section 14.2). */
function readRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const parts = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '')
  if (!parts) return undefined
  const [, first = '', last = ''] = parts
  if (first === '' && last === '') return undefined
  if (first === '') {
    const count = Math.min(Number(last), size)
    return count === 0 ? 'unsatisfiable' : { start: size - count, end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return undefined
  return start >= size ? 'unsatisfiable' : { start, end }
}

/** RFC 6266: a plain name for old programs and the real one beside it (RFC 8187). */
export function writeDisposition(disposition: StoredFile['disposition'], fileName: string): string {
  const plain =
    fileName
      .normalize('NFKD')
      .replace(/[^\x20-\x7e]/g, '')
      .replace(/["\\%]/g, '_')
      .trim() || 'file'
  const exact = encodeURIComponent(fileName.toWellFormed()).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${disposition}; filename="${plain}"; filename*=UTF-8''${exact}`
}
