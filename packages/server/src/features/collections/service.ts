import type { Collection, listCollections as listRoute } from '@proofdesk/contract/collections'
import type { PageOf } from '@proofdesk/contract/paging'
import {
  canSeeCollection,
  whyNotCreateCollection,
  whyNotDeleteCollection,
  whyNotEditCollection,
  whyNotSendCollection,
  type Viewer,
} from '@proofdesk/contract/permissions'
import type { In } from '@proofdesk/contract/route'
import type { LiveTopic } from '@proofdesk/contract/events'
import { all, toOrder, type Condition } from '../../db/list.ts'
import type { Deps } from '../../deps.ts'
import { AppError, refuse } from '../../errors.ts'
import { showPage } from '../../http/page-links.ts'
import { enqueueAll } from '../../outbox/outbox.ts'
import { holdUser } from '../users/queries.ts'
import { removeBlob } from '../../blobs/remove-blob.ts'
import * as queries from './queries.ts'
import { countCollectionsOf } from './room/queries.ts'
import type { CollectionOrdering, CollectionRecord, StatusCounts } from './queries.ts'
import { matchesSearch } from './search-filter.ts'
import * as is from './status-filter.ts'
import { toCollection } from './to-collection.ts'

export { toCollection }

/**
 * A page of collections: everyone's for staff and superuser, one's own for all others.
 * @param address Path and query of the request, for the links to the neighbours.
 * @throws AppError `page_not_found` past the end.
 */
export async function listCollections(
  { reads, now }: Deps,
  viewer: Viewer,
  query: In<typeof listRoute, 'query'>,
  address: string,
): Promise<PageOf<Collection>> {
  const at = now()
  const condition = toCondition(viewer, query, at)
  const count = await queries.countCollections(reads, condition, query.search !== undefined)
  const order = toOrder<CollectionOrdering>(query.ordering ?? '-created_at')
  return showPage(address, query.page, count, async (offset) => {
    const records = await queries.listCollections(reads, condition, order, offset, at)
    return records.map((record) => toCollection(record, viewer, at))
  })
}

function toCondition(viewer: Viewer, query: In<typeof listRoute, 'query'>, at: number): Condition {
  const conditions = [is.isVisibleTo(viewer)]
  if (query.is_active !== undefined) conditions.push(query.is_active ? is.isActive(at) : is.isInactive(at))
  if (query.is_locked !== undefined) conditions.push(query.is_locked ? is.isLocked : is.isUnlocked)
  if (query.has_proofid !== undefined) conditions.push(query.has_proofid ? is.hasProofId : is.hasNoProofId)
  if (query.exlude_admin_desc !== undefined) conditions.push(is.hasOtherDescription(query.exlude_admin_desc))
  if (query.status !== undefined) conditions.push(is.hasStatus(query.status, at))
  if (query.search?.trim()) conditions.push(matchesSearch(query.search, viewer))
  return all(conditions)
}

export async function countCollections({ reads, now }: Deps, viewer: Viewer): Promise<StatusCounts> {
  return queries.countByStatus(reads, is.isVisibleTo(viewer), now())
}

export async function showCollection(deps: Deps, viewer: Viewer, id: number): Promise<Collection> {
  return toCollection(await mustSeeCollection(deps, viewer, id), viewer, deps.now())
}

/** @throws AppError `email_not_verified`, `forbidden` for everyone but ordinary users; `collection_limit_reached`. */
export async function createCollection(deps: Deps, viewer: Viewer, input: { title: string }): Promise<Collection> {
  refuse(whyNotCreateCollection(viewer))
  const id = await deps.db.transaction().execute(async (transaction) => {
    // One after the other: two at once would both find the last place free.
    await holdUser(transaction, viewer.id)
    if ((await countCollectionsOf(transaction, viewer.id)) >= deps.config.maxUserCollections)
      throw new AppError('collection_limit_reached')
    return queries.insertCollection(transaction, { ownerId: viewer.id, title: input.title, now: deps.now() })
  })
  tellCollectionChanged(deps, { owner_id: viewer.id })
  return showCollection(deps, viewer, id)
}

/** @throws AppError `forbidden` for others than the owner, `collection_not_open` once it is locked or approved. */
export async function renameCollection(
  deps: Deps,
  viewer: Viewer,
  id: number,
  input: { title: string },
): Promise<Collection> {
  const collection = await mustSeeCollection(deps, viewer, id)
  refuse(whyNotEditCollection(viewer, collection))
  if (!(await queries.renameCollection(deps.db, id, viewer.id, input.title))) throw new AppError('collection_not_open')
  tellCollectionChanged(deps, collection)
  return showCollection(deps, viewer, id)
}

/**
 * Deletes a collection with its files. The proof of an expired approval stays known, as expired.
 * @throws AppError `forbidden` for others than the owner, `collection_not_deletable` in other states.
 */
export async function deleteCollection(deps: Deps, viewer: Viewer, id: number): Promise<void> {
  const collection = await mustSeeCollection(deps, viewer, id)
  refuse(whyNotDeleteCollection(viewer, collection))
  const at = deps.now()
  await deps.db.transaction().execute(async (transaction) => {
    if (!(await queries.holdForDeletion(transaction, id, viewer.id, at))) throw new AppError('collection_not_deletable')
    const keys = await queries.listFileKeys(transaction, id)
    await enqueueAll(
      transaction,
      at,
      keys.map((key) => removeBlob({ key })),
    )
    await queries.deleteCollectionRow(transaction, id)
  })
  deps.outbox.ring()
  tellCollectionChanged(deps, collection)
}

/**
 * Locks a collection and hands it to the reviewers.
 * @throws AppError `collection_already_sent` when it is locked, also when two requests race;
 *   `collection_not_open` when its approval has expired.
 */
export async function sendCollection(deps: Deps, viewer: Viewer, id: number): Promise<Collection> {
  const collection = await mustSeeCollection(deps, viewer, id)
  refuse(whyNotSendCollection(viewer, collection))
  if (!(await queries.lockCollection(deps.db, id, viewer.id, deps.now()))) throw new AppError('collection_already_sent')
  tellCollectionChanged(deps, collection)
  return showCollection(deps, viewer, id)
}

/** @throws AppError `collection_not_found` when it is missing or not the viewer's to see: the two look alike. */
export async function mustSeeCollection(deps: Deps, viewer: Viewer, id: number): Promise<CollectionRecord> {
  const collection = await findVisibleCollection(deps, viewer, id)
  if (!collection) throw new AppError('collection_not_found')
  return collection
}

/** @returns undefined when it is missing or not the viewer's to see. */
export async function findVisibleCollection(
  { reads, now }: Deps,
  viewer: Viewer,
  id: number,
): Promise<CollectionRecord | undefined> {
  const collection = await queries.findCollection(reads, id, now())
  return collection && canSeeCollection(viewer, collection) ? collection : undefined
}

/** Lets the screens of all who see a collection follow. After the commit. */
export function tellCollectionChanged(
  { live }: Pick<Deps, 'live'>,
  { owner_id: user }: Pick<CollectionRecord, 'owner_id'>,
  topics: readonly LiveTopic[] = ['collections'],
): void {
  live.tell({ topics, user, reviewers: true })
}

/** The same for a decision, which notifies the owner as well. */
export function tellDecision(deps: Pick<Deps, 'live'>, collection: Pick<CollectionRecord, 'owner_id'>): void {
  tellCollectionChanged(deps, collection)
  deps.live.tell({ topics: ['notifications'], user: collection.owner_id })
}
