import type { Collection, listCollections as listRoute } from '@proofdesk/contract/collections'
import type { SearchPageOf } from '@proofdesk/contract/paging'
import {
  canSeeCollection,
  seesAllCollections,
  whyNotCreateCollection,
  whyNotDeleteCollection,
  whyNotEditCollection,
  type Viewer,
} from '@proofdesk/contract/permissions'
import type { In } from '@proofdesk/contract/route'
import { collectionStatus, type CollectionStatus, type StatusFacts } from '@proofdesk/contract/status'
import { all, chooseReads, toOrder } from '../../db/list.ts'
import type { Deps } from '../../deps.ts'
import { AppError, refuse } from '../../errors.ts'
import { awaitTurn } from '../../http/one-a-turn.ts'
import { showFound, showPage } from '../../http/page-links.ts'
import { makeOnce, nameUser } from '../../once/make-once.ts'
import { recordEvents } from '../../events/record-events.ts'
import { recordView } from '../../events/record-view.ts'
import { holdUser } from '../users/queries.ts'
import { countByStatus, countStates, type StateCount, type StatusCounts } from './counts/queries.ts'
import { collectionEvents } from './events.ts'
import { isCounted, letsThrough, listConditions, splitByTile } from './list-filter.ts'
import { listCollections as listPage, listUnnarrowed } from './list/queries.ts'
import * as queries from './queries.ts'
import { refuseFile } from './refuse-file.ts'
import { countCollectionsOf } from './room/queries.ts'
import type { CollectionOrdering, CollectionRecord } from './queries.ts'
import { listSought, matchesSearch } from './search-filter.ts'
import { listByIds, listFoundIds } from './search/queries.ts'
import * as is from './status-filter.ts'
import { findWaiting, toCollection } from './to-collection.ts'

export { findWaiting, refuseFile, toCollection }

/**
 * A page of collections: everyone's for staff and superuser, one's own for all others.
 * @param address Path and query of the request, for the links to the neighbours.
 * @throws AppError `page_not_found` past the end, `read_timed_out`.
 */
export async function listCollections(
  deps: Deps,
  viewer: Viewer,
  query: In<typeof listRoute, 'query'>,
  address: string,
): Promise<SearchPageOf<Collection>> {
  const { reads, longReads } = deps
  const at = deps.now()
  const narrowing = [
    ...listConditions(query, at),
    ...(query.search?.trim() ? [matchesSearch(query.search, viewer)] : []),
  ]
  const condition = all([is.isVisibleTo(viewer), ...narrowing])
  const order = toOrder<CollectionOrdering>(query.ordering ?? '-created_at')
  const show = (records: CollectionRecord[]) => records.map((record) => toCollection(record, viewer, at))
  const seesAll = seesAllCollections(viewer)
  if (seesAll) await awaitTurn()
  // One's own are few.
  if (query.search?.trim() && seesAll) {
    const ids = await listFoundIds(deps, listSought(query.search, viewer), condition, order)
    return showFound(address, query.page, ids, async (page) => show(await listByIds(reads, page, at)))
  }
  // Of everybody's only what is counted is also found by an index.
  const near = seesAll && !isCounted(query) ? longReads : reads
  const states = seesAll ? await countStates(reads, at) : []
  const isWhole = narrowing.length === 0
  const countAll = () => (isWhole ? countCollectionsOf(reads, viewer.id) : queries.countCollections(near, condition))
  const count = seesAll && isCounted(query) ? addUp(states, (facts) => letsThrough(query, facts)) : await countAll()
  const isThere = (facts: StatusFacts) => addUp(states, (counted) => isAlike(counted, facts)) > 0
  return showPage(address, query.page, count, async (cut) => {
    const from = chooseReads({ reads: near, longReads }, cut)
    if (isWhole) return show(await listUnnarrowed(from, viewer, order, cut, at))
    const listed = seesAll ? splitByTile(query, at, isThere) : { parts: [condition] }
    return show(await listPage(from, listed, order, cut, at))
  })
}

export async function countCollections({ reads, now }: Deps, viewer: Viewer): Promise<StatusCounts> {
  const at = now()
  if (!seesAllCollections(viewer)) return countByStatus(reads, viewer.id, at)
  const states = await countStates(reads, at)
  const of = (status: CollectionStatus) => addUp(states, (facts) => collectionStatus(facts) === status)
  return {
    opened: of('opened'),
    in_progress: of('in_progress'),
    answered: of('answered'),
    approved: of('approved'),
    expired: of('expired'),
    all: addUp(states, () => true),
  }
}

function addUp(states: readonly StateCount[], isMeant: (facts: StatusFacts) => boolean): number {
  return states.filter(({ facts }) => isMeant(facts)).reduce((sum, { amount }) => sum + amount, 0)
}

const isAlike = (one: StatusFacts, other: StatusFacts) =>
  one.is_active === other.is_active &&
  one.is_locked === other.is_locked &&
  one.proofid === other.proofid &&
  one.admin_desc === other.admin_desc

/** Shows a collection to whoever asks for it; that others than its owner did is recorded. */
export async function viewCollection(deps: Deps, viewer: Viewer, id: number): Promise<Collection> {
  const collection = await mustSeeCollection(deps, viewer, id)
  await recordCollectionView(deps, viewer, collection)
  return toCollection(collection, viewer, deps.now())
}

/** Before the answer to others than the owner. */
export async function recordCollectionView(deps: Deps, viewer: Viewer, collection: CollectionRecord): Promise<void> {
  if (collection.owner_id !== viewer.id)
    await recordView(deps, collectionEvents.collection_viewed(viewer.id, collection))
}

/**
 * @param key Under which the same call makes one collection, however often it comes.
 * @throws AppError `email_not_verified`, `forbidden` for everyone but ordinary users; `collection_limit_reached`, and as
 *   `makeOnce`.
 */
export async function createCollection(
  deps: Deps,
  viewer: Viewer,
  input: { title: string },
  key?: string,
): Promise<Collection> {
  refuse(whyNotCreateCollection(viewer))
  const call = { kind: 'collection', owner: nameUser(viewer.id), key, sent: input } as const
  const created = await makeOnce(deps, call, {
    make: async (transaction, emit) => {
      // One after the other: two at once would both find the last place free.
      await holdUser(transaction, viewer.id)
      if ((await countCollectionsOf(transaction, viewer.id)) >= deps.config.maxUserCollections)
        throw new AppError('collection_limit_reached')
      const values = { ownerId: viewer.id, title: input.title, now: deps.now() }
      const made = await queries.insertCollection(transaction, values)
      await emit(collectionEvents.collection_created(viewer.id, made))
      return made
    },
    find: (id) => mustSeeCollection(deps, viewer, id),
  })
  return toCollection(created, viewer, deps.now())
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
  const change = { ownerId: viewer.id, title: input.title, now: deps.now() }
  const renamed = await recordEvents(deps, async (transaction, emit) => {
    const changed = await queries.renameCollection(transaction, id, change)
    if (!changed) throw new AppError('collection_not_open')
    await emit(collectionEvents.collection_renamed(viewer.id, changed))
    return changed
  })
  return toCollection(renamed, viewer, change.now)
}

/**
 * Deletes a collection with its files. The proof of an expired approval stays known, as expired.
 * @throws AppError `forbidden` for others than the owner, `collection_not_deletable` in other states.
 */
export async function deleteCollection(deps: Deps, viewer: Viewer, id: number): Promise<void> {
  const collection = await mustSeeCollection(deps, viewer, id)
  refuse(whyNotDeleteCollection(viewer, collection))
  await recordEvents(deps, async (transaction, emit) => {
    if (!(await queries.holdForDeletion(transaction, id, viewer.id, deps.now())))
      throw new AppError('collection_not_deletable')
    const keys = await queries.listFileKeys(transaction, id)
    await queries.deleteCollectionRow(transaction, id)
    await emit(collectionEvents.collection_deleted(viewer.id, collection, keys))
  })
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
