import { SAVED_REASONS_MAX } from '@proofdesk/contract/limits'
import type { SavedReason } from '@proofdesk/contract/reviews'
import { sql, type Insertable } from 'kysely'
import type { Db } from '../../db/open.ts'
import type { SavedReasonRow } from '../../db/schema.ts'
import { waitsFor, type CollectionRecord } from '../collections/queries.ts'

/** Where a collection stands in the queue, the oldest first; ties by id. */
export type QueuePoint = Pick<CollectionRecord, 'created_at' | 'id'>

/** How many wait, how many of them stand before a point, and whether one stands there. */
export async function countQueue(
  db: Db,
  viewerId: number,
  point: QueuePoint | undefined,
  now: number,
): Promise<{ waiting: number; before: number; isThere: boolean }> {
  const { created_at: at, id } = point ?? { created_at: 0, id: 0 }
  const { waiting, before, there } = await db
    .selectFrom('collections as c')
    .select([
      sql<number>`count(*)`.as('waiting'),
      sql<number>`count(*) filter (where (c.created_at, c.id) < (${at}, ${id}))`.as('before'),
      sql<number>`count(*) filter (where c.id = ${id})`.as('there'),
    ])
    .where(waitsFor(viewerId, now))
    .executeTakeFirstOrThrow()
  return { waiting, before, isThere: there === 1 }
}

/** The one that waits next to a point: `after` it in the queue or `before` it; without a point the first or the last. */
export async function findWaiting(
  db: Db,
  viewerId: number,
  side: 'after' | 'before',
  point: QueuePoint | undefined,
  now: number,
): Promise<{ id: number; title: string; username: string } | undefined> {
  const direction = side === 'after' ? 'asc' : 'desc'
  return db
    .selectFrom('collections as c')
    .innerJoin('users as u', 'u.id', 'c.owner_id')
    .select(['c.id', 'c.title', 'u.username'])
    .where(waitsFor(viewerId, now))
    .$if(point !== undefined && side === 'after', (query) =>
      query.where(sql<boolean>`(c.created_at, c.id) > (${point?.created_at}, ${point?.id})`),
    )
    .$if(point !== undefined && side === 'before', (query) =>
      query.where(sql<boolean>`(c.created_at, c.id) < (${point?.created_at}, ${point?.id})`),
    )
    .orderBy('c.created_at', direction)
    .orderBy('c.id', direction)
    .limit(1)
    .executeTakeFirst()
}

/** Newest first, for both decisions. */
export async function listReasons(db: Db, userId: number): Promise<SavedReason[]> {
  return db
    .selectFrom('saved_reasons')
    .select(['id', 'decision', 'text'])
    .where('user_id', '=', userId)
    .orderBy('saved_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** Saves one, or makes the one that is there the newest; beyond the limit the oldest goes. In a transaction. */
export async function saveReason(
  transaction: Db,
  reason: Omit<Insertable<SavedReasonRow>, 'id'>,
): Promise<SavedReason> {
  const saved = await transaction
    .insertInto('saved_reasons')
    .values(reason)
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'decision', 'text_hash']).doUpdateSet({ saved_at: reason.saved_at }),
    )
    .returning(['id', 'decision', 'text'])
    .executeTakeFirstOrThrow()
  await transaction
    .deleteFrom('saved_reasons')
    .where('user_id', '=', reason.user_id)
    .where('decision', '=', reason.decision)
    .where('id', 'not in', (query) =>
      query
        .selectFrom('saved_reasons as kept')
        .select('kept.id')
        .where('kept.user_id', '=', reason.user_id)
        .where('kept.decision', '=', reason.decision)
        .orderBy('kept.saved_at', 'desc')
        .orderBy('kept.id', 'desc')
        .limit(SAVED_REASONS_MAX),
    )
    .execute()
  return saved
}

/** @returns false when it is gone or another's. */
export async function deleteReason(db: Db, userId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('saved_reasons')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

/** Keeps what a reviewer wrote for the timeline of the collection. @returns its id */
export async function insertDecision(transaction: Db, collectionId: number, text: string): Promise<number> {
  const { id } = await transaction
    .insertInto('decisions')
    .values({ collection_id: collectionId, text })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Texts of the decisions on a collection, by id. */
export async function listDecisions(db: Db, collectionId: number): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('decisions')
    .select(['id', 'text'])
    .where('collection_id', '=', collectionId)
    .execute()
  return new Map(rows.map(({ id, text }) => [id, text]))
}

export async function deleteReasonsOf(transaction: Db, userId: number): Promise<void> {
  await transaction.deleteFrom('saved_reasons').where('user_id', '=', userId).execute()
}
