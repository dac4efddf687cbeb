import type { ProofChange } from '@proofdesk/contract/proof-changes'
import type { Insertable, Selectable } from 'kysely'
import { compileOnce } from '../../../db/compile-once.ts'
import type { Db } from '../../../db/open.ts'
import type { ProofChangeRow } from '../../../db/proof-tables.ts'
import type { ProofRecord } from '../queries.ts'

type ChangeRecord = Omit<Selectable<ProofChangeRow>, 'id'>

/** A proof with the newest of its changes. */
export interface StandingProof extends ProofRecord {
  last: ChangeRecord | undefined
}

const findProofWithChange = compileOnce((db, { proofid }: { proofid: string }) =>
  db
    .selectFrom('proofs as p')
    .leftJoin('proof_changes as c', (join) =>
      join.onRef('c.proof_id', '=', 'p.id').on('c.number', '=', (on) =>
        on
          .selectFrom('proof_changes as n')
          .select(({ fn }) => fn.max('n.number').as('newest'))
          .whereRef('n.proof_id', '=', 'p.id'),
      ),
    )
    .selectAll('p')
    .select([
      'c.number as last_number',
      'c.kind as last_kind',
      'c.at as last_at',
      'c.actor_id as last_actor_id',
      'c.reason as last_reason',
      'c.text as last_text',
      'c.expire_time as last_expire_time',
      'c.mac as last_mac',
    ])
    .where('p.proofid', '=', proofid),
)

/** @param proofid In its printed form. Both in one statement, so that no change comes in between. */
export async function findStandingProof(db: Db, proofid: string): Promise<StandingProof | undefined> {
  const [row] = await findProofWithChange(db, { proofid })
  if (!row) return undefined
  return Object.assign(row, { last: readLast(row) })
}

type LastColumns = Awaited<ReturnType<typeof findProofWithChange>>[number]

function readLast(row: LastColumns): ChangeRecord | undefined {
  const {
    id: proof_id,
    last_number: number,
    last_kind: kind,
    last_at: at,
    last_actor_id: actor_id,
    last_mac: mac,
  } = row
  if (number === null || kind === null || at === null || actor_id === null || mac === null) return undefined
  const { last_reason: reason, last_text: text, last_expire_time: expire_time } = row
  return { proof_id, number, kind, at, actor_id, reason, text, expire_time, mac }
}

/** How a proof stands from a change on. */
export type Standing = Pick<ProofRecord, 'current_expire_time' | 'revoked_at' | 'revocation_reason'>

/**
 * The conditional update that decides between two changes at once.
 * @param seen How many changes it had when it was looked at.
 * @returns false when there is another one by now.
 */
export async function changeStanding(transaction: Db, id: number, seen: number, standing: Standing): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('proofs')
    .set({ ...standing, change_count: seen + 1 })
    .where('id', '=', id)
    .where('state', '=', 'published')
    .where('change_count', '=', seen)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function insertChange(transaction: Db, change: Omit<Insertable<ProofChangeRow>, 'id'>): Promise<void> {
  await transaction.insertInto('proof_changes').values(change).execute()
}

export async function findChange(db: Db, proofRowId: number, number: number): Promise<ChangeRecord | undefined> {
  return db
    .selectFrom('proof_changes')
    .selectAll()
    .where('proof_id', '=', proofRowId)
    .where('number', '=', number)
    .executeTakeFirst()
}

/** Oldest first. @param isPrivate Whether the private texts come along. */
export async function listChanges(db: Db, proofRowId: number, isPrivate: boolean): Promise<ProofChange[]> {
  const rows = await db
    .selectFrom('proof_changes as c')
    .leftJoin('users as u', 'u.id', 'c.actor_id')
    .select(['c.kind', 'c.at', 'u.username as by', 'c.reason', 'c.text', 'c.expire_time'])
    .where('c.proof_id', '=', proofRowId)
    .orderBy('c.number')
    .execute()
  return rows.map((row) => ({
    ...row,
    at: new Date(row.at).toISOString(),
    text: isPrivate ? row.text : null,
    expire_time: row.expire_time === null ? null : new Date(row.expire_time).toISOString(),
  }))
}
