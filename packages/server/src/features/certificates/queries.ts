import { sql, type Selectable } from 'kysely'
import { cutPage, sortByIds, type Condition, type Order, type PageCut } from '../../db/list.ts'
import type { Db } from '../../db/open.ts'
import type { ProofRow } from '../../db/schema.ts'
import { foldCase } from '../../text/fold-case.ts'

/** One approval; times are milliseconds since 1970-01-01 UTC. */
export type ProofRecord = Selectable<ProofRow>

export type NewProof = Omit<
  ProofRecord,
  | 'id'
  | 'title_key'
  | 'state'
  | 'sealed_key'
  | 'sealed_sha256'
  | 'sealed_size'
  | 'problem'
  | 'published_at'
  | 'current_expire_time'
  | 'revoked_at'
  | 'revocation_reason'
  | 'change_count'
  | 'seal_mac'
>

/** @returns its row id. */
export async function insertProof(transaction: Db, proof: NewProof): Promise<number> {
  const { id } = await transaction
    .insertInto('proofs')
    .values({
      ...proof,
      title_key: foldCase(proof.title),
      state: 'claimed',
      current_expire_time: proof.expire_time,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function findProof(db: Db, id: number): Promise<ProofRecord | undefined> {
  return db.selectFrom('proofs').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function findProofState(db: Db, id: number): Promise<ProofRecord['state'] | undefined> {
  const row = await db.selectFrom('proofs').select('state').where('id', '=', id).executeTakeFirst()
  return row?.state
}

/** @param proofid In its printed form. */
export async function findProofByProofId(db: Db, proofid: string): Promise<ProofRecord | undefined> {
  return db.selectFrom('proofs').selectAll().where('proofid', '=', proofid).executeTakeFirst()
}

/** Published proofs with their files, in the order of their ids. */
export async function listSealed(
  db: Db,
  afterId: number,
  most: number,
): Promise<Pick<ProofRecord, 'id' | 'proofid' | 'sealed_key'>[]> {
  return db
    .selectFrom('proofs')
    .select(['id', 'proofid', 'sealed_key'])
    .where('id', '>', afterId)
    .where('state', '=', 'published')
    .orderBy('id')
    .limit(most)
    .execute()
}

/** The approval that a collection's claim points at, while it can still be withdrawn. */
export async function findClaimedProof(db: Db, collectionId: number): Promise<ProofRecord | undefined> {
  return db
    .selectFrom('proofs')
    .selectAll()
    .where('collection_id', '=', collectionId)
    .where('state', '=', 'claimed')
    .executeTakeFirst()
}

/**
 * Makes a stored sealed file the one of its proof.
 * @returns false when another one was first, or the approval was withdrawn: then this file is nobody's.
 */
export async function recordSeal(
  transaction: Db,
  id: number,
  sealed: { key: string; sha256: string; size: number; mac: string },
): Promise<boolean> {
  const result = await transaction
    .updateTable('proofs')
    .set({ sealed_key: sealed.key, sealed_sha256: sealed.sha256, sealed_size: sealed.size, seal_mac: sealed.mac })
    .where('id', '=', id)
    .where('state', '=', 'claimed')
    .where('sealed_key', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Shows a sealed proof to everybody. @returns false when it was published already, or is not sealed. */
export async function markPublished(transaction: Db, id: number, now: number): Promise<boolean> {
  const result = await transaction
    .updateTable('proofs')
    .set({ state: 'published', published_at: now, problem: null, revision0_key: null })
    .where('id', '=', id)
    .where('state', '=', 'claimed')
    .where('sealed_key', 'is not', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** @returns false when it was sealed, published or withdrawn in the meantime. */
export async function markWithdrawn(transaction: Db, id: number): Promise<boolean> {
  const result = await transaction
    .updateTable('proofs')
    .set({ state: 'withdrawn', problem: null, revision0_key: null })
    .where('id', '=', id)
    .where('state', '=', 'claimed')
    .where('sealed_key', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Proofs from before their rows carried MACs. */
export async function listUnvouched(db: Db): Promise<ProofRecord[]> {
  return db.selectFrom('proofs').selectAll().where('claim_mac', 'is', null).execute()
}

export async function recordMacs(
  db: Db,
  id: number,
  macs: { claim_mac: string; seal_mac: string | null },
): Promise<void> {
  await db.updateTable('proofs').set(macs).where('id', '=', id).where('claim_mac', 'is', null).execute()
}

/** @param problem Key of a message that says what holds the sealing up. */
export async function recordProblem(db: Db, id: number, problem: string): Promise<void> {
  await db.updateTable('proofs').set({ problem }).where('id', '=', id).where('state', '=', 'claimed').execute()
}

function selectPublished(db: Db, condition: Condition) {
  // As the indexes of what is published have it.
  return db
    .selectFrom('proofs as p')
    .where(sql<boolean>`p.state = 'published'`)
    .where(condition)
}

/** Those that are there, in the order of their ids. */
export async function listByIds(db: Db, ids: readonly number[]): Promise<ProofRecord[]> {
  if (ids.length === 0) return []
  return sortByIds(await db.selectFrom('proofs').selectAll().where('id', 'in', ids).execute(), ids)
}

/** Of somebody's own; everyone's are counted by `countAllPublished`. */
export async function countPublished(db: Db, condition: Condition): Promise<number> {
  const { count } = await selectPublished(db, condition)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export async function countAllPublished(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('proof_counts')
    .select(sql<number>`cast(coalesce(sum(amount), 0) as bigint)`.as('count'))
    .where('state', '=', 'published')
    .executeTakeFirstOrThrow()
  return count
}

/**
 * One page; ties by id. Chosen by what the indexes hold, and only then put together.
 */
export async function listPublished(
  db: Db,
  condition: Condition,
  order: Order<'created_at' | 'title'>,
  cut: PageCut,
): Promise<ProofRecord[]> {
  const place = sql.ref(order.by === 'title' ? 'p.title_key' : 'p.published_at')
  const page = selectPublished(db, condition)
    .select(['p.id', place.as('place')])
    .$call(cutPage(place, 'p.id', order.direction, cut))
  return db
    .selectFrom(page.as('page'))
    .innerJoin('proofs as p', 'p.id', 'page.id')
    .selectAll('p')
    .orderBy('page.place', order.direction)
    .orderBy('page.id', order.direction)
    .execute()
}
