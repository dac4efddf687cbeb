import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import { waitsFor, type CollectionRecord } from '../collections/queries.ts'

/** Where a collection stands in the order of the list, newest first; ties by id. */
export type QueuePoint = Pick<CollectionRecord, 'created_at' | 'id'>

/** How many wait, how many of them stand before a point, and whether one stands there. */
export async function countQueue(
  db: Db,
  viewerId: number,
  point: QueuePoint | undefined,
  now: number,
): Promise<{ waiting: number; before: number; isThere: boolean }> {
  const { created_at: at, id } = point ?? { created_at: 0, id: 0 }
  const counts = await db
    .selectFrom('collections as c')
    .select([
      sql<number | string>`count(*)`.as('waiting'),
      sql<number | string>`count(*) filter (where (c.created_at, c.id) > (${at}, ${id}))`.as('before'),
      sql<number | string>`count(*) filter (where c.id = ${id})`.as('there'),
    ])
    .where(waitsFor(viewerId, now))
    .executeTakeFirstOrThrow()
  return { waiting: Number(counts.waiting), before: Number(counts.before), isThere: Number(counts.there) === 1 }
}

/** The one that waits next to a point: `after` it in the list or `before` it; without a point the first or the last. */
export async function findWaiting(
  db: Db,
  viewerId: number,
  side: 'after' | 'before',
  point: QueuePoint | undefined,
  now: number,
): Promise<{ id: number; title: string; username: string } | undefined> {
  const direction = side === 'after' ? 'desc' : 'asc'
  return db
    .selectFrom('collections as c')
    .innerJoin('users as u', 'u.id', 'c.owner_id')
    .select(['c.id', 'c.title', 'u.username'])
    .where(waitsFor(viewerId, now))
    .$if(point !== undefined && side === 'after', (query) =>
      query.where(sql<boolean>`(c.created_at, c.id) < (${point?.created_at}, ${point?.id})`),
    )
    .$if(point !== undefined && side === 'before', (query) =>
      query.where(sql<boolean>`(c.created_at, c.id) > (${point?.created_at}, ${point?.id})`),
    )
    .orderBy('c.created_at', direction)
    .orderBy('c.id', direction)
    .limit(1)
    .executeTakeFirst()
}
