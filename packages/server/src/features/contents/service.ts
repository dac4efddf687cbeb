import { serveContent, type Content, type listContents as listRoute } from '@proofdesk/contract/contents'
import type { PageOf } from '@proofdesk/contract/paging'
import { isReviewer, whyNotDeleteContent, type Viewer } from '@proofdesk/contract/permissions'
import { API_BASE, type In } from '@proofdesk/contract/route'
import type { FastifyRequest } from 'fastify'
import { toOrder } from '../../db/list.ts'
import type { Deps } from '../../deps.ts'
import { AppError, refuse } from '../../errors.ts'
import { recordEvents } from '../../events/record-events.ts'
import { recordDownload } from '../../events/record-view.ts'
import { toWholeList } from '../../http/page-links.ts'
import { holdCollection, type CollectionRecord } from '../collections/queries.ts'
import { giveContentRoomBack } from '../collections/room/queries.ts'
import { findVisibleCollection, mustSeeCollection, recordCollectionView } from '../collections/service.ts'
import { replaceSubmission } from '../submissions/service.ts'
import { contentEvents } from './events.ts'
import * as queries from './queries.ts'
import type { ContentRecord } from './queries.ts'
import { wantThumbnails } from './thumbnails.ts'

export async function listContents(
  deps: Deps,
  viewer: Viewer,
  query: In<typeof listRoute, 'query'>,
): Promise<PageOf<Content>> {
  const collection = await mustSeeCollection(deps, viewer, query.collection)
  await recordCollectionView(deps, viewer, collection)
  const order = toOrder<'created_at' | 'title'>(query.ordering ?? '-created_at')
  const records = await queries.listContents(deps.reads, collection.id, order)
  await wantThumbnails(deps, records)
  return toWholeList(records.map((record) => showContent(record, collection, viewer)))
}

export function showContent(record: ContentRecord, collection: CollectionRecord, viewer: Viewer): Content {
  return queries.toContent(record, collection, viewer, `${API_BASE}${serveContent.path}?content_id=${record.id}`)
}

/**
 * Removes one content; its file and thumbnail go after the commit. What waits is another submission from then on.
 * @throws AppError `content_not_found`, `content_locked` once an approval is claimed, and for its owner once the
 *   collection is no longer open.
 */
export async function deleteContent(
  deps: Deps,
  viewer: Viewer,
  id: number,
  query: { collection?: number | undefined },
): Promise<void> {
  const { collection } = await mustSeeContent(deps, viewer, id)
  if (query.collection !== undefined && query.collection !== collection.id) throw new AppError('content_not_found')
  refuse(whyNotDeleteContent(viewer, collection))
  const openFor = isReviewer(viewer) ? undefined : viewer.id
  const at = deps.now()
  await recordEvents(deps, async (transaction, emit) => {
    // Its file may have been replaced by one of another size; from here on it stays as it is.
    await holdCollection(transaction, collection.id)
    const content = await queries.findContent(transaction, id)
    if (!content) throw new AppError('content_not_found')
    if (!(await giveContentRoomBack(transaction, collection.id, openFor, content, at)))
      throw new AppError('content_locked')
    const keys = await queries.deleteContentRow(transaction, id)
    if (!keys) throw new AppError('content_not_found')
    const follows = await replaceSubmission(transaction, collection.id, viewer.id, at)
    await emit(contentEvents.content_deleted(viewer.id, collection, content, keys, follows))
  })
}

/** The file of a content, to be sent to somebody who may see it; that others than its owner got it is recorded. */
export async function openContent(
  deps: Deps,
  viewer: Viewer,
  id: number,
  request: FastifyRequest,
): Promise<ContentRecord> {
  const { content, collection } = await mustSeeContent(deps, viewer, id)
  if (collection.owner_id !== viewer.id)
    await recordDownload(deps, request, content, contentEvents.content_downloaded(viewer.id, collection, id))
  return content
}

/** @throws AppError `content_not_found` when it is missing or in a collection one does not see. */
export async function mustSeeContent(
  deps: Deps,
  viewer: Viewer,
  id: number,
): Promise<{ content: ContentRecord; collection: CollectionRecord }> {
  const content = await queries.findContent(deps.reads, id)
  const collection = content && (await findVisibleCollection(deps, viewer, content.collection_id))
  if (!collection) throw new AppError('content_not_found')
  return { content, collection }
}
