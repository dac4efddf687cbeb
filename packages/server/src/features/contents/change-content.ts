import { rm } from 'node:fs/promises'
import type { Content, orderContents as orderRoute, renameContent as renameRoute } from '@proofdesk/contract/contents'
import type { ErrorCode } from '@proofdesk/contract/errors'
import { COLLECTION_MAX_BYTES } from '@proofdesk/contract/limits'
import type { PageOf } from '@proofdesk/contract/paging'
import { whyNotChangeContents, type Viewer } from '@proofdesk/contract/permissions'
import type { In } from '@proofdesk/contract/route'
import type { FastifyRequest } from 'fastify'
import type { Db } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { AppError, refuse } from '../../errors.ts'
import { recordEvents } from '../../events/record-events.ts'
import { toWholeList } from '../../http/page-links.ts'
import { findCollection, holdCollection } from '../collections/queries.ts'
import { exchangeContentRoom, findContentTotals, reviseOpenCollection } from '../collections/room/queries.ts'
import { mustSeeCollection } from '../collections/service.ts'
import { contentEvents } from './events.ts'
import { judgeFile } from './judge-file.ts'
import * as queries from './queries.ts'
import { receiveUpload } from './receive-upload.ts'
import { mustSeeContent, showContent } from './service.ts'
import { mustHaveRoom, storeFile } from './store-file.ts'

/** @throws AppError `forbidden` for others than the owner, `collection_not_open` once it is sent, approved or expired. */
export async function renameContent(
  deps: Deps,
  viewer: Viewer,
  id: number,
  title: In<typeof renameRoute, 'body'>,
): Promise<Content> {
  const { collection } = await mustChangeContent(deps, viewer, id)
  await recordEvents(deps, async (transaction, emit) => {
    if (!(await reviseOpenCollection(transaction, collection.id, viewer.id, deps.now())))
      throw new AppError('collection_not_open')
    if (!(await queries.renameContentRow(transaction, id, title))) throw new AppError('content_not_found')
    await emit(contentEvents.content_renamed(viewer.id, collection, id))
  })
  return showChanged(deps, viewer, id)
}

/**
 * Puts another file in the place of one: under its id and title, where it stood. It goes through the same checks as one that
 * is added; the old one goes after the commit.
 * @throws AppError, or what the form reader or the disk threw: `toRefusal` makes an answer of it.
 */
export async function replaceContent(
  deps: Deps,
  viewer: Viewer,
  id: number,
  request: FastifyRequest,
): Promise<Content> {
  const { collection } = await mustChangeContent(deps, viewer, id)
  await mustHaveRoom(deps, viewer)
  const { file } = await receiveUpload(deps, request, async () => {})
  try {
    const judge = (signal: AbortSignal) => judgeFile(deps, viewer, collection, file, signal)
    const isGone = () => request.raw.socket.destroyed
    await storeFile(deps, viewer, file, judge, isGone, async (transaction, emit, stored, at) => {
      // Whoever changes contents holds their collection first, so the sizes that are counted out are those that are there.
      await holdCollection(transaction, collection.id)
      const old = await queries.findContent(transaction, id)
      if (!old) throw new AppError('content_not_found')
      const more = { sizeBytes: stored.size - old.size, pages: stored.pages - old.pages }
      if (!(await exchangeContentRoom(transaction, collection.id, viewer.id, more, at)))
        throw new AppError(await findWhyNotReplaced(transaction, collection.id, viewer, more.sizeBytes, at))
      await queries.replaceContentFile(transaction, id, stored)
      const oldKeys = [old.blob_key, old.thumbnail_key].filter((key) => key !== null)
      await emit(contentEvents.content_replaced(viewer.id, collection, id, oldKeys))
      return id
    })
  } finally {
    await rm(file.path, { force: true })
  }
  return showChanged(deps, viewer, id)
}

/**
 * Puts the files of a collection in another order. Of two who do so at once the later one's holds, whole.
 * @throws AppError `contents_changed` when other files are there than are named.
 */
export async function orderContents(
  deps: Deps,
  viewer: Viewer,
  { collection: id, contents: ids }: In<typeof orderRoute, 'body'>,
): Promise<PageOf<Content>> {
  const collection = await mustSeeCollection(deps, viewer, id)
  refuse(whyNotChangeContents(viewer, collection))
  await recordEvents(deps, async (transaction, emit) => {
    if (!(await reviseOpenCollection(transaction, id, viewer.id, deps.now()))) throw new AppError('collection_not_open')
    const there = await listInOrder(transaction, id)
    const named = new Set(ids)
    if (there.length !== named.size || there.some((content) => !named.has(content.id)))
      throw new AppError('contents_changed')
    await queries.orderContentRows(transaction, ids)
    await emit(contentEvents.contents_ordered(viewer.id, collection))
  })
  const ordered = await listInOrder(deps.db, id)
  return toWholeList(ordered.map((record) => showContent(record, collection, viewer)))
}

function listInOrder(db: Db, collectionId: number) {
  return queries.listContents(db, collectionId, { by: 'position', direction: 'asc' })
}

async function mustChangeContent(deps: Deps, viewer: Viewer, id: number) {
  const found = await mustSeeContent(deps, viewer, id)
  refuse(whyNotChangeContents(viewer, found.collection))
  return found
}

async function showChanged(deps: Deps, viewer: Viewer, id: number): Promise<Content> {
  const { content, collection } = await mustSeeContent(deps, viewer, id)
  return showContent(content, collection, viewer)
}

/** In the transaction that holds the collection, so nothing has changed since the update. */
async function findWhyNotReplaced(
  transaction: Db,
  collectionId: number,
  viewer: Viewer,
  moreBytes: number,
  at: number,
): Promise<ErrorCode> {
  const collection = await findCollection(transaction, collectionId, at)
  const why = collection ? whyNotChangeContents(viewer, collection) : 'collection_not_found'
  if (why) return why
  const totals = await findContentTotals(transaction, collectionId)
  const isTooLarge = totals && totals.content_bytes + moreBytes > COLLECTION_MAX_BYTES
  return isTooLarge ? 'collection_too_many_bytes' : 'collection_too_many_pages'
}
