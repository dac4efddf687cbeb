import { sql, type Insertable, type Selectable } from 'kysely'
import type { AuditEntryRow, AuditLinkRow } from '../db/audit-tables.ts'
import type { Db } from '../db/open.ts'
import type { EntryFacts } from './hash-entry.ts'

export type AuditLink = Selectable<AuditLinkRow>
export type ChainedEntry = EntryFacts & Pick<AuditEntryRow, 'hash'>

const FACTS = [
  'id',
  'at',
  'actor_id',
  'action',
  'object_kind',
  'object_id',
  'collection_id',
  'details',
  'network',
] as const

export async function findLastLink(db: Db): Promise<AuditLink | undefined> {
  return db.selectFrom('audit_links').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst()
}

/** Entries that the chain has not reached, the oldest first. */
export async function listWaiting(db: Db, most: number): Promise<EntryFacts[]> {
  return db.selectFrom('audit_entries').select(FACTS).where('link_id', 'is', null).orderBy('id').limit(most).execute()
}

/**
 * How many entries the chain has not reached.
 * @scans: a few seconds' worth of entries wait, and an index holds only these; where it is explained all of them wait
 */
export async function countWaitingEntries(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('audit_entries')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('link_id', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** The newest entry that the chain has not reached. */
export async function findNewestWaiting(db: Db): Promise<{ at: number } | undefined> {
  return db
    .selectFrom('audit_entries')
    .select('at')
    .where('link_id', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** @returns its id; undefined when another one follows the same link already: of several at once one is let in. */
export async function insertLink(
  transaction: Db,
  link: Omit<Insertable<AuditLinkRow>, 'id' | 'emptied_at' | 'emptied_mac'>,
): Promise<number | undefined> {
  const row = await transaction
    .insertInto('audit_links')
    .values(link)
    .onConflict((conflict) => conflict.column('previous_hash').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/**
 * Puts waiting entries into a link, with their hashes.
 * @returns how many of them still waited
 * @scans: only what it is given, a hundred entries at most.
 */
export async function chainEntries(
  transaction: Db,
  linkId: number,
  hashes: readonly { id: number; hash: string }[],
): Promise<number> {
  const rows = hashes.map(({ id, hash }) => sql`(cast(${id} as bigint), ${hash})`)
  const { numAffectedRows } = await sql`
    with chained (id, hash) as (values ${sql.join(rows)})
    update audit_entries set link_id = ${linkId}, hash = chained.hash from chained
    where audit_entries.id = chained.id and audit_entries.link_id is null`.execute(transaction)
  return Number(numAffectedRows)
}

/** Links after one, in the order of the chain. */
export async function listLinks(db: Db, afterId: number, most: number): Promise<AuditLink[]> {
  return db.selectFrom('audit_links').selectAll().where('id', '>', afterId).orderBy('id').limit(most).execute()
}

export async function findLink(db: Db, id: number): Promise<AuditLink | undefined> {
  return db.selectFrom('audit_links').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function listEntriesOfLink(db: Db, linkId: number): Promise<ChainedEntry[]> {
  return db
    .selectFrom('audit_entries')
    .select([...FACTS, 'hash'])
    .where('link_id', '=', linkId)
    .orderBy('id')
    .execute()
}

/** The oldest link that still has its entries. */
export async function findOldestFull(db: Db): Promise<AuditLink | undefined> {
  return db
    .selectFrom('audit_links')
    .selectAll()
    .where('emptied_at', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

/** When the first link after one was made that was made until a time. */
export async function findNextMadeAt(db: Db, id: number, until: number): Promise<number | undefined> {
  const next = await db
    .selectFrom('audit_links')
    .select('made_at')
    .where('id', '>', id)
    .where('made_at', '<=', until)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return next?.made_at
}

/** Whether a link was made after one time and until another. */
export async function hasLinkMade(db: Db, after: number, until: number): Promise<boolean> {
  const row = await db
    .selectFrom('audit_links')
    .select('made_at')
    .where('made_at', '>', after)
    .where('made_at', '<=', until)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Marks a link as emptied and deletes its entries. @returns how many these were; undefined when another did so first */
export async function emptyLink(
  transaction: Db,
  id: number,
  mark: { emptied_at: number; emptied_mac: string },
): Promise<number | undefined> {
  const { numUpdatedRows } = await transaction
    .updateTable('audit_links')
    .set(mark)
    .where('id', '=', id)
    .where('emptied_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows !== 1n) return undefined
  const { numDeletedRows } = await transaction
    .deleteFrom('audit_entries')
    .where('link_id', '=', id)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
