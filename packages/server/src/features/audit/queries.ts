import type { AuditAction } from '@proofdesk/contract/audit-actions'
import type { AuditFilter } from '@proofdesk/contract/audit'
import { sql } from 'kysely'
import { all, type Condition } from '../../db/list.ts'
import type { Db } from '../../db/open.ts'
import { foldCase } from '../../text/fold-case.ts'

/** Entries with the names that people and things have now. */
function selectEntries(db: Db, filter: AuditFilter) {
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
    .where(matches(filter))
}

export type AuditRow = Awaited<ReturnType<ReturnType<typeof selectEntries>['executeTakeFirstOrThrow']>>

function matches({ actor, action, object, object_id, collection, from, to }: AuditFilter): Condition {
  const conditions: Condition[] = []
  if (actor !== undefined)
    conditions.push(sql`e.actor_id = (select id from users where username_key = ${foldCase(actor)})`)
  if (action !== undefined) conditions.push(sql`e.action = ${action}`)
  if (object !== undefined) conditions.push(sql`e.object_kind = ${object}`)
  if (object_id !== undefined) conditions.push(sql`e.object_id = ${object_id}`)
  if (collection !== undefined) conditions.push(sql`e.collection_id = ${collection}`)
  if (from !== undefined) conditions.push(sql`e.at >= ${from}`)
  if (to !== undefined) conditions.push(sql`e.at < ${to}`)
  return all(conditions)
}

/** Newest first. @param before An id that is not reached. */
export async function listNewest(
  db: Db,
  filter: AuditFilter,
  before: number | undefined,
  most: number,
): Promise<AuditRow[]> {
  return selectEntries(db, filter)
    .$if(before !== undefined, (query) => query.where('e.id', '<', before ?? 0))
    .orderBy('e.id', 'desc')
    .limit(most)
    .execute()
}

/** Oldest first, for reading on from one portion to the next. */
export async function listAfter(db: Db, filter: AuditFilter, after: number, most: number): Promise<AuditRow[]> {
  return selectEntries(db, filter).where('e.id', '>', after).orderBy('e.id').limit(most).execute()
}

/** Some actions of a collection's own history, oldest first; of a long one the newest. */
export async function listHistory(
  db: Db,
  collectionId: number,
  actions: readonly AuditAction[],
  most: number,
): Promise<AuditRow[]> {
  const rows = await selectEntries(db, { collection: collectionId })
    .where('e.action', 'in', actions)
    .orderBy('e.id', 'desc')
    .limit(most)
    .execute()
  return rows.toReversed()
}
