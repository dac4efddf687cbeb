import type { Db } from '../db/open.ts'

/** Says that a process serves, or still does. */
export async function markSeen(db: Db, id: string, version: string, now: number): Promise<void> {
  await db
    .insertInto('nodes')
    .values({ id, version, seen_at: now })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: now }))
    .execute()
}

/** Forgets a process that ends. */
export async function forgetNode(db: Db, id: string): Promise<void> {
  await db.deleteFrom('nodes').where('id', '=', id).execute()
}

/**
 * Forgets those that ended without a word.
 * @scans: processes are few.
 */
export async function forgetSilent(db: Db, before: number): Promise<void> {
  await db.deleteFrom('nodes').where('seen_at', '<', before).execute()
}

/**
 * How many processes of each version have said lately that they serve.
 * @scans: as above.
 */
export async function countVersions(reads: Db, since: number): Promise<{ version: string; count: number }[]> {
  return reads
    .selectFrom('nodes')
    .select(({ fn }) => ['version', fn.countAll<number>().as('count')])
    .where('seen_at', '>=', since)
    .groupBy('version')
    .orderBy('version')
    .execute()
}
