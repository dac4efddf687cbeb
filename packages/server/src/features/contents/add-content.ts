import { rm } from 'node:fs/promises'
import { ContentFields, UploadId, type Content } from '@proofdesk/contract/contents'
import type { ErrorCode } from '@proofdesk/contract/errors'
import { IdQuery } from '@proofdesk/contract/fields'
import { COLLECTION_MAX_BYTES, COLLECTION_MAX_FILES, COLLECTION_MAX_PAGES } from '@proofdesk/contract/limits'
import { whyNotChangeContents, whyNotCreateCollection, type Viewer } from '@proofdesk/contract/permissions'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Db } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { AppError, refuse } from '../../errors.ts'
import { readPart } from '../../http/bind.ts'
import { findCollection, type CollectionRecord } from '../collections/queries.ts'
import { findContentTotals, takeContentRoom } from '../collections/room/queries.ts'
import { mustSeeCollection } from '../collections/service.ts'
import { contentEvents } from './events.ts'
import { findUploaded, insertContent } from './queries.ts'
import { judgeFile } from './judge-file.ts'
import { receiveUpload, type IncomingFile } from './receive-upload.ts'
import { mustSeeContent, showContent } from './service.ts'
import { mustHaveRoom, storeFile } from './store-file.ts'

/**
 * Adds one uploaded file to an open collection of the viewer's own. Whether it may be added is asked before the file is
 * read, as far as the order of the form's fields allows, and again by the update that counts it in. The same upload sent again is
 * answered with what it has become, also where nothing more may be added.
 *
 * After a refusal or an upload that breaks off nothing is left: no file, no row. A connection that is lost after the last
 * byte, while the file is checked, leaves nothing either; but where the upload has an id that decides, since a proxy may
 * hide who has hung up: it is kept, and sending it again finds it.
 * @throws AppError, or what the form reader or the disk threw: `toRefusal` makes an answer of it.
 */
export async function addContent(deps: Deps, viewer: Viewer, request: FastifyRequest): Promise<Content> {
  refuse(whyNotCreateCollection(viewer))
  const { fields, file } = await receiveUpload(deps, request, async (name, before) => {
    const collection = IdQuery.safeParse(before['collection'])
    if (name === 'collection' && collection.success) await mustBeOwn(deps, viewer, collection.data)
    if (name === 'file') await mayBringFile(deps, viewer, collection.data, before['upload_id'])
  })
  try {
    const read = readPart(ContentFields, fields) as z.output<typeof ContentFields>
    const isGone = () => read.upload_id === undefined && request.raw.socket.destroyed
    return await addFile(deps, viewer, read, file, isGone)
  } finally {
    await rm(file.path, { force: true })
  }
}

/** @throws AppError as `mustBeOpen`, where no state of the collection would let them add to it. */
async function mustBeOwn(deps: Deps, viewer: Viewer, id: number): Promise<void> {
  const collection = await mustSeeCollection(deps, viewer, id)
  if (collection.owner_id !== viewer.id) refuse(whyNotChangeContents(viewer, collection))
}

/** Before anything of a file is read. @throws AppError as `mustHaveRoom` and `mustBeOpen`, unless the same upload is there already. */
async function mayBringFile(
  deps: Deps,
  viewer: Viewer,
  collectionId: number | undefined,
  name: unknown,
): Promise<void> {
  const uploadId = UploadId.safeParse(name).data
  if (collectionId !== undefined && (await findSent(deps, viewer, collectionId, uploadId)) !== undefined) return
  await mustHaveRoom(deps, viewer)
  if (collectionId !== undefined) await mustBeOpen(deps, viewer, collectionId)
}

async function mustBeOpen(deps: Deps, viewer: Viewer, id: number): Promise<CollectionRecord> {
  const collection = await mustSeeCollection(deps, viewer, id)
  refuse(whyNotChangeContents(viewer, collection))
  if (collection.content_count >= COLLECTION_MAX_FILES) throw new AppError('collection_full')
  return collection
}

/** What the same upload has become, whatever its collection has become since. @returns the content's id */
async function findSent(
  deps: Deps,
  viewer: Viewer,
  collectionId: number,
  uploadId: string | undefined,
): Promise<number | undefined> {
  if (uploadId === undefined) return undefined
  const { owner_id } = await mustSeeCollection(deps, viewer, collectionId)
  return owner_id === viewer.id ? findUploaded(deps.db, collectionId, uploadId) : undefined
}

async function addFile(
  deps: Deps,
  viewer: Viewer,
  fields: z.output<typeof ContentFields>,
  file: IncomingFile,
  isGone: () => boolean,
): Promise<Content> {
  const { collection: collectionId, upload_id: uploadId } = fields
  const id =
    (await findSent(deps, viewer, collectionId, uploadId)) ??
    (await storeNew(deps, viewer, fields, file, isGone).catch(async (error: unknown) => {
      // What another sending of the same upload was quicker to store.
      const sent = await findSent(deps, viewer, collectionId, uploadId)
      if (sent === undefined) throw error
      return sent
    }))
  const { content, collection } = await mustSeeContent(deps, viewer, id)
  return showContent(content, collection, viewer)
}

async function storeNew(
  deps: Deps,
  viewer: Viewer,
  fields: z.output<typeof ContentFields>,
  file: IncomingFile,
  isGone: () => boolean,
): Promise<number> {
  const collection = await mustBeOpen(deps, viewer, fields.collection)
  const judge = (signal: AbortSignal) => judgeFile(deps, viewer, collection, file, signal)
  return storeFile(deps, viewer, file, judge, isGone, async (transaction, emit, stored, at) => {
    const room = { sizeBytes: stored.size, pages: stored.pages }
    if (!(await takeContentRoom(transaction, fields.collection, viewer.id, room, at)))
      throw new AppError(await findWhyNoRoom(transaction, fields.collection, viewer, room, at))
    const id = await insertContent(transaction, {
      collection_id: fields.collection,
      title: fields.title,
      title_type: fields.title_type,
      position: fields.position,
      created_at: at,
      upload_id: fields.upload_id ?? null,
      ...stored,
    })
    await emit(contentEvents.content_added(viewer.id, collection, id))
    return id
  })
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
  const why = whyNotChangeContents(viewer, collection)
  if (why) return why
  if (totals.content_count >= COLLECTION_MAX_FILES) return 'collection_full'
  if (totals.content_bytes + file.sizeBytes > COLLECTION_MAX_BYTES) return 'collection_too_many_bytes'
  if (totals.content_pages + file.pages > COLLECTION_MAX_PAGES) return 'collection_too_many_pages'
  // Room was made between the update and these reads.
  return 'collection_changed'
}
