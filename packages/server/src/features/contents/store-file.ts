import { randomBytes } from 'node:crypto'
import type { DocumentType } from '@proofdesk/contract/fields'
import { COLLECTION_MAX_PAGES, COLLECTION_MAX_PICTURED_PAGES } from '@proofdesk/contract/limits'
import type { Viewer } from '@proofdesk/contract/permissions'
import { forgetIntent, giveUpBlob, recordIntent, withdrawIntent } from '../../blobs/intents.ts'
import type { Db } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { recordEvents, type Emit } from '../../events/record-events.ts'
import { enqueue } from '../../outbox/outbox.ts'
import { sumBytesOf } from '../collections/room/queries.ts'
import { holdUser } from '../users/queries.ts'
import { countPicturedPages, type ContentRecord } from './queries.ts'
import type { IncomingFile } from './receive-upload.ts'
import { refuseFile } from '../collections/service.ts'
import { drawThumbnail } from './work.ts'

const BYTES_PER_MB = 1024 * 1024
/** How long files that wait to be looked at take to become fewer. */
const CROWDED_RETRY_SECONDS = 5

/** A file that was received and looked at. */
export type InspectedFile = IncomingFile & { type: DocumentType; pages: number; isPictured: boolean }

/** What a content's row says of its file. */
export type StoredFile = Pick<
  ContentRecord,
  'type' | 'file_name' | 'blob_key' | 'size' | 'pages' | 'is_pictured' | 'sha256'
>

/** Before anything of a file is read. @throws AppError `storage_full`, `own_space_full` */
export async function mustHaveRoom({ blobs, config, reads }: Deps, viewer: Viewer): Promise<void> {
  const { minFreeMb, maxUserMb } = config
  if (minFreeMb > 0 && (await blobs.freeBytes()) < minFreeMb * BYTES_PER_MB) throw new AppError('storage_full')
  if ((await sumBytesOf(reads, viewer.id)) >= maxUserMb * BYTES_PER_MB) throw new AppError('own_space_full')
}

/** What the bytes are. @throws AppError that names what is wrong with them. */
export async function inspectFile({ certify }: Deps, viewer: Viewer, path: string) {
  const limits = { maxPages: COLLECTION_MAX_PAGES }
  const inspection = await certify.inspect(path, limits, viewer.id).catch((cause: unknown) => {
    const isCrowded = cause instanceof Error && 'code' in cause && cause.code === 'crowded'
    if (isCrowded) throw new AppError('busy', { cause, retryAfterSeconds: CROWDED_RETRY_SECONDS })
    throw new AppError('certifying_unavailable', { cause })
  })
  if (!inspection.ok) throw refuseFile(inspection.reason)
  const { type, pages, isPictured } = inspection
  return { type, pages, isPictured }
}

/**
 * Keeps a file and has its thumbnail drawn, in one transaction with the row that points at it. After a failure nothing is
 * left of it. While it is judged its key is intended and its bytes go to the disk, since most files are good.
 * @throws AppError `own_space_full`, `collection_too_many_pictured`, `upload_interrupted`, and what `judge` and `write` throw
 * @param judge Tells what it is. The signal tells that nobody needs to know any more.
 * @param isGone Whether the sender has hung up.
 * @param write Points a content at it and says so. @returns the content's id.
 */
export async function storeFile(
  deps: Deps,
  viewer: Viewer,
  file: IncomingFile,
  judge: (signal: AbortSignal) => Promise<InspectedFile>,
  isGone: () => boolean,
  write: (transaction: Db, emit: Emit, stored: StoredFile, at: number) => Promise<number>,
): Promise<number> {
  const { db, blobs } = deps
  const key = `originals/${randomBytes(16).toString('hex')}`
  const intending = recordIntent(db, deps.now(), key)
  let isUnderWay = false
  try {
    const enough = new AbortController()
    const judging = judge(enough.signal)
    const flushing = blobs.flushIncoming(file.path)
    const [{ type, pages, isPictured }] = await Promise.all([judging, intending, flushing]).catch(
      async (error: unknown) => {
        // The file and the sender's turn go with the answer: nobody may be at work on either after it.
        enough.abort()
        await Promise.allSettled([judging, flushing])
        throw error
      },
    )
    const { fileName, sizeBytes, sha256 } = file
    const is_pictured = isPictured ? 1 : 0
    const stored = { type, file_name: fileName, blob_key: key, size: sizeBytes, pages, is_pictured, sha256 } as const
    const at = deps.now()
    isUnderWay = true
    await blobs.putFile(key, file.path)
    return await recordEvents(deps, async (transaction, emit) => {
      // One upload of a person after the other: the sum must not pass between two of them.
      await holdUser(transaction, viewer.id)
      const contentId = await write(transaction, emit, stored, at)
      if (isPictured && (await countPicturedPages(transaction, contentId)) > COLLECTION_MAX_PICTURED_PAGES)
        throw new AppError('collection_too_many_pictured')
      if ((await sumBytesOf(transaction, viewer.id)) > deps.config.maxUserMb * BYTES_PER_MB)
        throw new AppError('own_space_full')
      await forgetIntent(transaction, key)
      await enqueue(transaction, at, drawThumbnail({ content_id: contentId }, viewer.id))
      // Who has hung up takes it for failed and sends the file again: it would be there twice.
      if (isGone()) throw new AppError('upload_interrupted')
      return contentId
    })
  } catch (error) {
    // What is refused at once may not be intended yet.
    await intending.catch(() => {})
    if (isUnderWay) await giveUpBlob(deps, key)
    else await withdrawIntent(deps, key)
    throw error
  } finally {
    deps.outbox.ring()
  }
}
