import {
  COLLECTION_MAX_BYTES,
  COLLECTION_MAX_FILES,
  COLLECTION_MAX_PAGES,
  COMMENTS_MAX_PER_COLLECTION,
} from '@proofdesk/contract/limits'
import { sql } from 'kysely'
import { all } from '../../../db/list.ts'
import { compileOnce } from '../../../db/compile-once.ts'
import type { Db } from '../../../db/open.ts'
import * as is from '../status-filter.ts'

// What collections and their owners hold is counted along, so that one conditional update keeps each limit.

/**
 * Counts one more content in, if the collection is open and has room for it.
 * @returns false when it is not open or a limit would be passed.
 */
export async function takeContentRoom(
  db: Db,
  id: number,
  ownerId: number,
  file: { sizeBytes: number; pages: number },
  now: number,
): Promise<boolean> {
  const result = await db
    .updateTable('collections as c')
    .set({
      content_count: sql`c.content_count + 1`,
      content_bytes: sql`c.content_bytes + ${file.sizeBytes}`,
      content_pages: sql`c.content_pages + ${file.pages}`,
      revision: sql`c.revision + 1`,
    })
    .where('c.id', '=', id)
    .where(is.isOpenFor(ownerId, now))
    .where('c.content_count', '<', COLLECTION_MAX_FILES)
    .where('c.content_bytes', '<=', COLLECTION_MAX_BYTES - file.sizeBytes)
    .where('c.content_pages', '<=', COLLECTION_MAX_PAGES - file.pages)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** What all documents of a person take up, bytes. */
export async function sumBytesOf(db: Db, ownerId: number): Promise<number> {
  const { bytes } = await db
    .selectFrom('collections')
    .select(({ fn }) => fn.sum<number | string | null>('content_bytes').as('bytes'))
    .where('owner_id', '=', ownerId)
    .executeTakeFirstOrThrow()
  return Number(bytes ?? 0)
}

const countOfOwner = compileOnce((db, { ownerId }: { ownerId: number }) =>
  db
    .selectFrom('collections')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('owner_id', '=', ownerId),
)

export async function countCollectionsOf(db: Db, ownerId: number): Promise<number> {
  const [row] = await countOfOwner(db, { ownerId })
  return row?.count ?? 0
}

/** Counts another file in the place of one, if the collection is open and has room for what it has `more`; less is negative. */
export async function exchangeContentRoom(
  db: Db,
  id: number,
  ownerId: number,
  more: { sizeBytes: number; pages: number },
  now: number,
): Promise<boolean> {
  const result = await db
    .updateTable('collections as c')
    .set({
      content_bytes: sql`c.content_bytes + ${more.sizeBytes}`,
      content_pages: sql`c.content_pages + ${more.pages}`,
      revision: sql`c.revision + 1`,
    })
    .where('c.id', '=', id)
    .where(is.isOpenFor(ownerId, now))
    .where('c.content_bytes', '<=', COLLECTION_MAX_BYTES - more.sizeBytes)
    .where('c.content_pages', '<=', COLLECTION_MAX_PAGES - more.pages)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Takes a collection for changing its contents: nobody else does meanwhile. @returns false when it is not open. */
export async function reviseOpenCollection(
  transaction: Db,
  id: number,
  ownerId: number,
  now: number,
): Promise<boolean> {
  const result = await transaction
    .updateTable('collections as c')
    .set({ revision: sql`c.revision + 1` })
    .where('c.id', '=', id)
    .where(is.isOpenFor(ownerId, now))
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** How much a collection holds. */
export async function findContentTotals(
  db: Db,
  id: number,
): Promise<{ content_count: number; content_bytes: number; content_pages: number } | undefined> {
  return db
    .selectFrom('collections')
    .select(['content_count', 'content_bytes', 'content_pages'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/**
 * Counts one content out while no approval is claimed.
 * @param openFor Owner for whom the collection must still be open; undefined for a reviewer.
 * @returns false when it is claimed or no longer open.
 */
export async function giveContentRoomBack(
  db: Db,
  id: number,
  openFor: number | undefined,
  file: { size: number; pages: number },
  now: number,
): Promise<boolean> {
  const result = await db
    .updateTable('collections as c')
    .set({
      content_count: sql`c.content_count - 1`,
      content_bytes: sql`c.content_bytes - ${file.size}`,
      content_pages: sql`c.content_pages - ${file.pages}`,
      revision: sql`c.revision + 1`,
    })
    .where('c.id', '=', id)
    .where(all([is.isUnclaimed, is.hasNoProofId]))
    .$if(openFor !== undefined, (update) => update.where(is.isOpenFor(openFor ?? 0, now)))
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** @returns false when it holds as many comments as it may. */
export async function takeCommentRoom(db: Db, id: number): Promise<boolean> {
  const result = await db
    .updateTable('collections as c')
    .set({ comment_count: sql`c.comment_count + 1` })
    .where('c.id', '=', id)
    .where('c.comment_count', '<', COMMENTS_MAX_PER_COLLECTION)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export async function giveCommentRoomBack(db: Db, id: number): Promise<void> {
  await db
    .updateTable('collections as c')
    .set({ comment_count: sql`c.comment_count - 1` })
    .where('c.id', '=', id)
    .execute()
}
