import type { AuditAction } from '@proofdesk/contract/audit-actions'
import type { AuditFilter } from '@proofdesk/contract/audit'
import { sql, type Expression } from 'kysely'
import { all, everything, type Condition } from '../../db/list.ts'
import type { Db } from '../../db/open.ts'
import { foldCase } from '../../text/fold-case.ts'

/**
 * Some entries with the names that people and things have now.
 * @param ids A query of few: it is chosen before anything is joined, so what is not shown costs no look at its names.
 */
function selectEntries(db: Db, ids: Expression<unknown>) {
  return db
    .selectFrom('audit_entries as e')
    .leftJoin('users as u', 'u.id', 'e.actor_id')
    .leftJoin('users as ou', (join) => join.onRef('ou.id', '=', 'e.object_id').on('e.object_kind', '=', 'user'))
    .leftJoin('collections as oc', (join) =>
      join.onRef('oc.id', '=', 'e.object_id').on('e.object_kind', '=', 'collection'),
    )
    .leftJoin('contents as od', (join) => join.onRef('od.id', '=', 'e.object_id').on('e.object_kind', '=', 'content'))
    .leftJoin('proofs as op', (join) => join.onRef('op.id', '=', 'e.object_id').on('e.object_kind', '=', 'proof'))
    .leftJoin('tickets as ot', (join) => join.onRef('ot.id', '=', 'e.object_id').on('e.object_kind', '=', 'ticket'))
    .select([
      'e.id',
      'e.at',
      'e.actor_id',
      'u.username as actor',
      'e.action',
      'e.object_kind',
      'e.object_id',
      sql<string | null>`coalesce(ou.username, oc.title, od.title, op.proofid, ot.title)`.as('object_name'),
      'e.collection_id',
      'e.details',
      'e.network',
      'e.link_id',
      'e.hash',
    ])
    .where(sql<boolean>`e.id in ${ids}`)
}

export type AuditRow = Awaited<ReturnType<ReturnType<typeof selectEntries>['executeTakeFirstOrThrow']>>

/** Ids from the first to the last, both of them within. */
export interface IdSpan {
  first: number
  last: number
}

/** What entries have to be like. */
export interface Wanted {
  filter: AuditFilter
  /** Where it is known, nothing beyond is looked at. */
  span?: IdSpan | undefined
}

/** Ids of what is wanted. */
function selectIds(db: Db, { filter, span }: Wanted) {
  return db
    .selectFrom('audit_entries as e')
    .select('e.id')
    .where(matches(filter))
    .where(span === undefined ? everything : sql<boolean>`e.id between ${span.first} and ${span.last}`)
}

function matches({ actor, action, object, object_id, collection, from, to }: AuditFilter): Condition {
  const conditions: Condition[] = []
  if (actor !== undefined)
    conditions.push(sql`e.actor_id = (select id from users where username_key = ${foldCase(actor)})`)
  if (action !== undefined) conditions.push(sql`e.action = ${action}`)
  if (object !== undefined) conditions.push(sql`e.object_kind = ${object}`)
  if (object_id !== undefined) conditions.push(sql`e.object_id = ${object_id}`)
  if (collection !== undefined) conditions.push(sql`e.collection_id = ${collection}`)
  // By the index of times all of them would be read and put in order for each page. The sign keeps both databases from it.
  if (from !== undefined) conditions.push(sql`+e.at >= ${from}`)
  if (to !== undefined) conditions.push(sql`+e.at < ${to}`)
  return all(conditions)
}

/**
 * From the first to the last entry of some time: between them all of it lies, and where no clock was set, nothing else.
 * @returns undefined where there are none
 * @scans: beside what others wait for; of an index what lies in the time, and all where nearly all of it does
 */
export async function findIdSpan(db: Db, { from, to }: Pick<AuditFilter, 'from' | 'to'>): Promise<IdSpan | undefined> {
  // The sign: PostgreSQL would walk through the ids until one is of that time, which may be the last.
  const ids = sql<number | null>`+id`
  const { first, last } = await db
    .selectFrom('audit_entries')
    .select(({ fn }) => [fn.min(ids).as('first'), fn.max(ids).as('last')])
    .$if(from !== undefined, (query) => query.where('at', '>=', from ?? 0))
    .$if(to !== undefined, (query) => query.where('at', '<', to ?? 0))
    .executeTakeFirstOrThrow()
  return first === null || last === null ? undefined : { first, last }
}

/** From the oldest entry that there is to the newest. @returns undefined where there are none */
export async function findWholeSpan(db: Db): Promise<IdSpan | undefined> {
  const ids = db.selectFrom('audit_entries').select('id').limit(1)
  const first = await ids.orderBy('id').executeTakeFirst()
  const last = await ids.orderBy('id', 'desc').executeTakeFirst()
  return first && last && { first: first.id, last: last.id }
}

/**
 * Newest first.
 * @param before An id that is not reached.
 * @scans with `where (e.object_id = ?) and`: beside what others wait for; no screen asks for an id without its kind
 */
export async function listNewest(
  db: Db,
  wanted: Wanted,
  before: number | undefined,
  most: number,
): Promise<AuditRow[]> {
  const ids = selectIds(db, wanted)
    .where(before === undefined ? everything : sql<boolean>`e.id < ${before}`)
    .orderBy('e.id', 'desc')
    .limit(most)
  return selectEntries(db, ids).orderBy('e.id', 'desc').execute()
}

/** Oldest first. */
export async function listOldest(db: Db, wanted: Wanted, most: number): Promise<AuditRow[]> {
  return selectEntries(db, selectIds(db, wanted).orderBy('e.id').limit(most)).orderBy('e.id').execute()
}

/** Some actions of a collection's own history, oldest first; of a long one the newest. */
export async function listHistory(
  db: Db,
  collection: { id: number; owner_id: number },
  { actions, byOthers }: { actions: readonly AuditAction[]; byOthers: readonly AuditAction[] },
  most: number,
): Promise<AuditRow[]> {
  const ids = selectIds(db, { filter: { collection: collection.id } })
    .where(({ eb, or, and }) =>
      or([
        eb('e.action', 'in', actions),
        and([eb('e.action', 'in', byOthers), eb('e.actor_id', '!=', collection.owner_id)]),
      ]),
    )
    .orderBy('e.id', 'desc')
    .limit(most)
  const rows = await selectEntries(db, ids).orderBy('e.id', 'desc').execute()
  return rows.toReversed()
}
