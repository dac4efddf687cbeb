import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { ContentFields, type Content } from '@proofdesk/contract/contents'
import type { ErrorCode } from '@proofdesk/contract/errors'
import { IdQuery } from '@proofdesk/contract/fields'
import { COLLECTION_MAX_BYTES, COLLECTION_MAX_FILES, COLLECTION_MAX_PAGES } from '@proofdesk/contract/limits'
import { canAddContent, canCreateCollection, type Viewer } from '@proofdesk/contract/permissions'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { abandonIntent, forgetIntent, recordIntent } from '../../blobs/intents.ts'
import type { Db } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { readPart } from '../../http/handle.ts'
import { enqueue } from '../../outbox/outbox.ts'
import { findCollection, findContentTotals, takeContentRoom } from '../collections/queries.ts'
import { mustSeeCollection, refuseRole, tellCollectionChanged } from '../collections/service.ts'
import { insertContent } from './queries.ts'
import { receiveUpload, type IncomingFile } from './receive-upload.ts'
import { refuseFile } from './refuse-upload.ts'
import { mustSeeContent, showContent } from './service.ts'

/** How long files that wait to be looked at take to become fewer. */
const CROWDED_RETRY_SECONDS = 5

/**
 * Adds one uploaded file to an open collection of the viewer's own. Whether it may be added is asked before the file is
 * read, as far as the order of the form's fields allows, and again by the update that counts it in.
 *
 * After a refusal or an upload that breaks off nothing is left: no file, no row. That holds until the commit, also for
 * a connection that is lost after the last byte, while the file is checked.
 * @throws AppError, or what the form reader or the disk threw: `toRefusal` makes an answer of it.
 */
export async function addContent(deps: Deps, viewer: Viewer, request: FastifyRequest): Promise<Content> {
  if (!canCreateCollection(viewer)) throw refuseRole(viewer)
  const { fields, file } = await receiveUpload(deps, request, async (name, value) => {
    const id = name === 'collection' ? IdQuery.safeParse(value) : undefined
    if (id?.success) await mustBeOpen(deps, viewer, id.data)
  })
  try {
    const isGone = () => request.raw.socket.destroyed
    return await addFile(deps, viewer, readPart(ContentFields, fields) as z.output<typeof ContentFields>, file, isGone)
  } finally {
    await rm(file.path, { force: true })
  }
}

async function mustBeOpen(deps: Deps, viewer: Viewer, id: number): Promise<void> {
  const collection = await mustSeeCollection(deps, viewer, id)
  if (!canAddContent(viewer, collection)) throw new AppError('collection_not_open')
  if (collection.content_count >= COLLECTION_MAX_FILES) throw new AppError('collection_full')
}

async function addFile(
  deps: Deps,
  viewer: Viewer,
  fields: z.output<typeof ContentFields>,
  file: IncomingFile,
  isGone: () => boolean,
): Promise<Content> {
  await mustBeOpen(deps, viewer, fields.collection)
  const inspection = await inspectFile(deps, viewer, file.path)
  const { db, blobs } = deps
  const at = deps.now()
  const key = `originals/${randomBytes(16).toString('hex')}`
  await recordIntent(db, at, key)
  let id: number
  try {
    await blobs.putFile(key, file.path)
    id = await db.transaction().execute(async (transaction) => {
      const room = { sizeBytes: file.sizeBytes, pages: inspection.pages }
      if (!(await takeContentRoom(transaction, fields.collection, viewer.id, room, at)))
        throw new AppError(await findWhyNoRoom(transaction, fields.collection, viewer, room, at))
      await forgetIntent(transaction, key)
      const contentId = await insertContent(transaction, {
        collection_id: fields.collection,
        title: fields.title,
        title_type: fields.title_type,
        type: inspection.type,
        position: fields.position,
        file_name: file.fileName,
        blob_key: key,
        size: file.sizeBytes,
        pages: inspection.pages,
        sha256: file.sha256,
        created_at: at,
      })
      await enqueue(transaction, at, 'draw_thumbnail', { content_id: contentId })
      // Who has hung up takes it for failed and sends the file again: it would be there twice.
      if (isGone()) throw new AppError('upload_interrupted')
      return contentId
    })
  } catch (error) {
    // Where even this fails, the sweep of old intents does it.
    await abandonIntent(db, at, key).catch((cause: unknown) => deps.log.fail('upload: giving a file up failed', cause))
    deps.outbox.ring()
    throw error
  }
  deps.outbox.ring()
  const { content, collection } = await mustSeeContent(deps, viewer, id)
  tellCollectionChanged(deps, collection)
  return showContent(content, collection)
}

/** What the bytes are. @throws AppError that names what is wrong with them. */
async function inspectFile({ certify }: Deps, viewer: Viewer, path: string) {
  const limits = { maxPages: COLLECTION_MAX_PAGES }
  const inspection = await certify.inspect(path, limits, viewer.id).catch((cause: unknown) => {
    const isCrowded = cause instanceof Error && 'code' in cause && cause.code === 'crowded'
    if (isCrowded) throw new AppError('busy', { cause, retryAfterSeconds: CROWDED_RETRY_SECONDS })
    throw new AppError('certifying_unavailable', { cause })
  })
  if (!inspection.ok) throw refuseFile(inspection.reason)
  return inspection
}

async function findWhyNoRoom(
  transaction: Db,
  collectionId: number,
  viewer: Viewer,
  file: { sizeBytes: number; pages: number },
  at: number,
): Promise<ErrorCode> {
  const collection = await findCollection(transaction, collectionId, at)
  const totals = await findContentTotals(transaction, collectionId)
  if (!collection || !totals) return 'collection_not_found'
  if (!canAddContent(viewer, collection)) return 'collection_not_open'
  if (totals.content_count >= COLLECTION_MAX_FILES) return 'collection_full'
  if (totals.content_bytes + file.sizeBytes > COLLECTION_MAX_BYTES) return 'collection_too_many_bytes'
  if (totals.content_pages + file.pages > COLLECTION_MAX_PAGES) return 'collection_too_many_pages'
  // Room was made between the update and these reads.
  return 'collection_changed'
}
