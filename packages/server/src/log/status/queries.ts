import { sql, type Selectable } from 'kysely'
import type { LogStatusPageRow } from '../../db/log-tables.ts'
import type { Db } from '../../db/open.ts'

export type StoredPage = Selectable<LogStatusPageRow>

/** Proofs that are looked at in one go. */
const BATCH = 500
/** Pages that are made in one go; each speaks of 131,072 entries. */
const MOST_DUE = 16

export async function findPage(db: Db, page: number): Promise<StoredPage | undefined> {
  return db.selectFrom('log_status_pages').selectAll().where('page', '=', page).executeTakeFirst()
}

/** Pages that something was changed about since they were made. There is a row for each 131,072 entries. */
export async function listDuePages(db: Db): Promise<Pick<StoredPage, 'page' | 'wanted' | 'made'>[]> {
  return db
    .selectFrom('log_status_pages')
    .select(['page', 'wanted', 'made'])
    .whereRef('wanted', '>', 'made')
    .orderBy('page')
    .limit(MOST_DUE)
    .execute()
}

/** Asks for a page to be made anew, in the transaction of what changes it. */
export async function wantPage(db: Db, page: number): Promise<void> {
  await db
    .insertInto('log_status_pages')
    .values({ page, wanted: 1 })
    .onConflict((conflict) => conflict.column('page').doUpdateSet({ wanted: sql<number>`log_status_pages.wanted + 1` }))
    .execute()
}

/** The same unless it is asked for already. Of several nodes that look at once each may ask; one makes it. */
export async function wantPageOnce(db: Db, page: number, made: number): Promise<void> {
  await db
    .insertInto('log_status_pages')
    .values({ page, wanted: 1 })
    .onConflict((conflict) =>
      conflict
        .column('page')
        .doUpdateSet({ wanted: made + 1 })
        .where('log_status_pages.wanted', '=', made)
        .where('log_status_pages.made', '=', made),
    )
    .execute()
}

/** @returns false when another node has made it meanwhile. */
export async function replacePage(
  transaction: Db,
  was: Pick<StoredPage, 'page' | 'made'>,
  next: Pick<StoredPage, 'made' | 'size' | 'made_at' | 'bits' | 'leaf_hash'>,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('log_status_pages')
    .set(next)
    .where('page', '=', was.page)
    .where('made', '=', was.made)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** The places in the log of approvals that were withdrawn before they were given out, in the order of the proofs. */
export async function listWithdrawn(db: Db, afterId: number): Promise<{ id: number; leaf_index: number }[]> {
  return (
    db
      .selectFrom('proofs')
      .innerJoin('log_commitments', (join) =>
        join.onRef('log_commitments.proof_id', '=', 'proofs.id').on('log_commitments.kind', '=', 'approve'),
      )
      .innerJoin('log_entries', 'log_entries.leaf_hash', 'log_commitments.leaf_hash')
      .select(['proofs.id', 'log_entries.leaf_index'])
      .where('proofs.id', '>', afterId)
      .where('proofs.state', '=', 'withdrawn')
      // as the index says it
      .where(sql<boolean>`(proofs.revoked_at is not null or proofs.state = 'withdrawn')`)
      .orderBy('proofs.id')
      .limit(BATCH)
      .execute()
  )
}

/** Revocations, reinstatements and other expiries among the entries of a part of the log, in their order. */
export async function listStatedBetween(
  db: Db,
  from: number,
  to: number,
): Promise<{ entry: string; leaf_hash: string }[]> {
  return db
    .selectFrom('log_entries')
    .select(['entry', 'leaf_hash'])
    .where('leaf_index', '>=', from)
    .where('leaf_index', '<', to)
    .where(isStated)
    .orderBy('leaf_index')
    .execute()
}

/**
 * The same of statements that wait for their place.
 * @scans: rows wait there for milliseconds.
 */
export async function listStatedWaiting(db: Db): Promise<{ entry: string; leaf_hash: string }[]> {
  return db.selectFrom('log_queue').select(['entry', 'leaf_hash']).where(isStated).orderBy('id').execute()
}

/** Few others have it, and they are read all the same. */
const isStated = sql<boolean>`(entry like '%:"re%' or entry like '%:"amend"%')`
