import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { sayEnglish } from '@proofdesk/contract/messages'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { openHashingStream } from '../../blobs/hashing-stream.ts'
import { AppError, refuseFields } from '../../errors.ts'
import { cleanFileName, readFormFileName } from './file-name.ts'

/** A form that asks for more than this is none of ours. Sizes in bytes. */
export const FORM_LIMITS = { fieldNameSize: 100, fieldSize: 10_000, fields: 10, files: 4, parts: 14, headerPairs: 50 }
/** What a form adds to its file: boundaries, headers, the other fields. */
const FORM_OVERHEAD_BYTES = FORM_LIMITS.fields * FORM_LIMITS.fieldSize

/**
 * Bytes that may wait for the disk, and are then written at once. With less, writing takes turns with receiving: a file of
 * 5 MB took 22 to 34 ms, and takes 17. More gives nothing.
 */
const WRITTEN_AT_ONCE = 1 << 20

/** What came in: a file on the store's disk, not yet looked at, and the other fields as sent. */
export interface ReceivedUpload {
  fields: Record<string, string>
  file: IncomingFile
}

export interface IncomingFile {
  path: string
  fileName: string
  sizeBytes: number
  /** Hex. */
  sha256: string
}

/**
 * Reads a form with exactly one file, part by part, in whatever order they come; the file goes to the disk while its
 * SHA-256 is taken. Whoever calls removes the file; after a failure nothing is left.
 * @param onPart Told of each part as it begins, with the fields so far; what it throws ends the reading.
 * @throws AppError `invalid`, `file_required`, `file_only_one`, `file_empty`, `file_too_large`, or what the reader found.
 */
export async function receiveUpload(
  deps: Pick<Deps, 'blobs' | 'config'>,
  request: FastifyRequest,
  onPart: (name: string, fields: Readonly<Record<string, string>>) => Promise<void>,
): Promise<ReceivedUpload> {
  const maxBytes = deps.config.maxUploadMb * 1024 * 1024
  const declaredBytes = Number(request.headers['content-length'] ?? 0)
  if (declaredBytes > maxBytes + FORM_OVERHEAD_BYTES) throw refuseSize(deps.config.maxUploadMb)
  if (!request.isMultipart()) throw new AppError('unsupported_media_type')

  const fields: Record<string, string> = Object.create(null)
  let file: IncomingFile | undefined
  try {
    for await (const part of request.parts({ limits: { ...FORM_LIMITS, fileSize: maxBytes } })) {
      if (part.type === 'field') {
        if (typeof part.value !== 'string') continue
        // The bytes of a file, sent without a name: there is no file.
        if (part.fieldname === 'file') continue
        judgeField(part.fieldname, part.value, fields)
        fields[part.fieldname] = part.value
        await onPart(part.fieldname, fields)
      } else if (part.fieldname !== 'file') {
        // Not ours, but it stands in the way of what follows.
        for await (const _ of part.file);
      } else if (file) {
        throw new AppError('file_only_one')
      } else {
        await onPart('file', fields)
        file = await receiveFile(deps, part)
      }
    }
    if (!file) throw new AppError('file_required')
    return { fields, file }
  } catch (error) {
    if (file) await rm(file.path, { force: true })
    throw isReaderSizeError(error) ? refuseSize(deps.config.maxUploadMb) : error
  }
}

/** The form reader has the limit for each part with a file name, `file` or not. */
function isReaderSizeError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'FST_REQ_FILE_TOO_LARGE'
}

/**
 * @throws AppError `invalid` for a field that comes again, since which was meant is anybody's guess, and for one that is not
 * UTF-8: the form reader puts U+FFFD for what it cannot read, which would be kept as other letters than were sent.
 */
function judgeField(name: string, value: string, before: Record<string, string>): void {
  if (name in before) throw refuseFields({ [name]: [sayEnglish('field_repeated')] })
  if (value.includes('\ufffd')) throw refuseFields({ [name]: [sayEnglish('text_not_utf8')] })
}

async function receiveFile(
  { blobs, config }: Pick<Deps, 'blobs' | 'config'>,
  part: MultipartFile,
): Promise<IncomingFile> {
  const path = blobs.temporaryPath()
  const hashing = openHashingStream()
  // The form reader would read on to the end of the file before it says so.
  part.file.on('limit', () => hashing.destroy(refuseSize(config.maxUploadMb)))
  try {
    const writing = createWriteStream(path, { flags: 'wx', mode: 0o600, highWaterMark: WRITTEN_AT_ONCE })
    await pipeline(part.file, hashing, writing)
    // The limit may have been met before anybody listened.
    if (part.file.truncated) throw refuseSize(config.maxUploadMb)
    // A browser sends an empty file without name where none was chosen.
    if (writing.bytesWritten === 0) throw new AppError(part.filename ? 'file_empty' : 'file_required')
    const fileName = cleanFileName(readFormFileName(part.filename || 'document'))
    return { path, fileName, sizeBytes: writing.bytesWritten, sha256: hashing.sha256() }
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}

function refuseSize(maxUploadMb: number): AppError {
  return new AppError('file_too_large', { values: { max: maxUploadMb } })
}
