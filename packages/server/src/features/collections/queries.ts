import { DEFAULT_ADMIN_DESC } from '@proofdesk/contract/limits'
import type { DocumentState } from '@proofdesk/contract/collections'
import { sql } from 'kysely'
import { all, any, everything, type Condition } from '../../db/list.ts'
import { compileOnce } from '../../db/compile-once.ts'
import type { Db } from '../../db/open.ts'
import { foldCase } from '../../text/fold-case.ts'
import * as is from './status-filter.ts'

/** A collection as rules need it; times are milliseconds since 1970-01-01 UTC. */
export interface CollectionRecord {
  id: number
  owner_id: number
  /** Of the owner. */
  username: string
  title: string
  is_locked: boolean
  is_active: boolean
  proofid: string | null
  admin_desc: string
  /** Of who decided last. */
  admin_username: string | null
  expire_time: number | null
  /** When its proof was revoked. */
  revoked_at: number | null
  created_at: number
  submitted_at: number | null
  revision: number
  /** Of what was sent last; 0 and null before anything was. */
  submission_number: number
  digest: string | null
  document_state: DocumentState
  /** An approval was claimed, even if its file is still being sealed. */
  is_claimed: boolean
  content_count: number
  /** While an approval is claimed and not yet published; `admin_username` is still of who decided before. */
  sealing: { since: number; admin_username: string; problem: string | null } | null
}

/** `u` is the owner, `r` the reviewer, `p` the claimed approval. */
export function selectCollections(db: Db) {
  return db
    .selectFrom('collections as c')
    .innerJoin('users as u', 'u.id', 'c.owner_id')
    .leftJoin('users as r', 'r.id', 'c.reviewer_id')
    .leftJoin('proofs as p', 'p.id', 'c.claim_id')
    .select([
      'c.id',
      'c.owner_id',
      'u.username',
      'c.title',
      'c.is_locked',
      'c.proofid',
      'c.admin_desc',
      'r.username as admin_username',
      'c.expire_time',
      'c.created_at',
      'c.submitted_at',
      'c.revision',
      'c.submission_number',
      'c.digest',
      'c.document_state',
      'c.claim_id',
      'c.content_count',
      'p.revoked_at',
      sql<number | null>`case when p.state = 'claimed' then p.approved_at end`.as('sealing_since'),
      'p.problem as sealing_problem',
      'p.reviewer_username as sealing_username',
    ])
}

type SelectedCollection = Awaited<ReturnType<ReturnType<typeof selectCollections>['executeTakeFirstOrThrow']>>

/** Field by field: on a list, taking some out of a row and spreading the rest took as long as the database. */
export function toRecord(row: SelectedCollection, now: number): CollectionRecord {
  const { sealing_since: since, sealing_username: admin_username, sealing_problem: problem, claim_id, is_locked } = row
  return {
    id: row.id,
    owner_id: row.owner_id,
    username: row.username,
    title: row.title,
    is_locked: is_locked === 1,
    is_active: row.expire_time === null || row.expire_time > now,
    proofid: row.proofid,
    admin_desc: row.admin_desc,
    admin_username: row.admin_username,
    expire_time: row.expire_time,
    revoked_at: row.revoked_at,
    created_at: row.created_at,
    submitted_at: row.submitted_at,
    revision: row.revision,
    submission_number: row.submission_number,
    digest: row.digest,
    document_state: row.document_state,
    is_claimed: claim_id !== null,
    content_count: row.content_count,
    sealing: since === null || admin_username === null ? null : { since, admin_username, problem },
  }
}

/** What a change of `collections` answers with, so that it need not be looked up. SQLite knows no alias there. */
const CHANGED = [
  'id',
  'owner_id',
  'title',
  'is_locked',
  'proofid',
  'admin_desc',
  'expire_time',
  'created_at',
  'submitted_at',
  'revision',
  'submission_number',
  'digest',
  'document_state',
  'claim_id',
  'content_count',
  sql<string>`(select u.username from users as u where u.id = owner_id)`.as('username'),
  sql<string | null>`(select r.username from users as r where r.id = reviewer_id)`.as('admin_username'),
] as const

/** Of one that has no proof, nor one that is being sealed. */
const WITHOUT_PROOF = { revoked_at: null, sealing_since: null, sealing_problem: null, sealing_username: null }
type ChangedRow = Omit<SelectedCollection, keyof typeof WITHOUT_PROOF>

function toChanged(row: ChangedRow | undefined, now: number): CollectionRecord | undefined {
  return row && toRecord({ ...row, ...WITHOUT_PROOF }, now)
}

const findSelected = compileOnce((db, { id }: { id: number }) => selectCollections(db).where('c.id', '=', id))

export async function findCollection(db: Db, id: number, now: number): Promise<CollectionRecord | undefined> {
  const [row] = await findSelected(db, { id })
  return row && toRecord(row, now)
}

export type CollectionOrdering = 'title' | 'created_at' | 'expire_time'

export const ORDER_EXPRESSIONS = {
  title: sql`c.title_key`,
  created_at: sql`c.created_at`,
  // Never is later than any time; the databases disagree about where null sorts.
  expire_time: sql`coalesce(c.expire_time, 9007199254740991)`,
} as const

/**
 * Everyone's are counted by `countStates` instead where that knows what is asked for.
 * @scans without `c.owner_id = ?`: of descriptions but the default one no counts are kept.
 */
export async function countCollections(db: Db, condition: Condition): Promise<number> {
  const { count } = await db
    .selectFrom('collections as c')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(condition)
    .executeTakeFirstOrThrow()
  return count
}

/** A row `c` that waits for a decision (`isUndecided`) and is not the viewer's own; an index of its tile serves it. */
export function waitsFor(viewerId: number, now: number): Condition {
  return all([is.standsUnder('in_progress'), is.isActive(now), is.isUnclaimed, sql`c.owner_id <> ${viewerId}`])
}

export async function insertCollection(
  db: Db,
  values: { ownerId: number; title: string; now: number },
): Promise<CollectionRecord> {
  const row = await db
    .insertInto('collections')
    .values({
      owner_id: values.ownerId,
      title: values.title,
      title_key: foldCase(values.title),
      is_locked: 0,
      admin_desc: DEFAULT_ADMIN_DESC,
      created_at: values.now,
      revision: 0,
    })
    .returning(CHANGED)
    .executeTakeFirstOrThrow()
  return toRecord({ ...row, ...WITHOUT_PROOF }, values.now)
}

/** @returns undefined when it is locked or has a Proof ID by now. */
export async function renameCollection(
  db: Db,
  id: number,
  change: { ownerId: number; title: string; now: number },
): Promise<CollectionRecord | undefined> {
  const row = await db
    .updateTable('collections as c')
    .set({ title: change.title, title_key: foldCase(change.title), revision: sql`c.revision + 1` })
    .where('c.id', '=', id)
    .where('c.owner_id', '=', change.ownerId)
    .where(all([is.isUnlocked, is.hasNoProofId]))
    .returning(CHANGED)
    .executeTakeFirst()
  return toChanged(row, change.now)
}

/** What waits now has another document than what waited before; nobody can have looked at it yet. */
const NEXT_SUBMISSION = {
  submission_number: sql<number>`c.submission_number + 1`,
  digest: null,
  document_state: 'preparing',
} as const

/**
 * Locks an open collection; its submission is to be kept in the same transaction.
 * @returns undefined when another request did so first, or it is no longer open.
 */
export async function lockCollection(
  db: Db,
  id: number,
  ownerId: number,
  now: number,
): Promise<CollectionRecord | undefined> {
  const row = await db
    .updateTable('collections as c')
    // A new revision: an approval built before a rejection does not hold for what is sent after it.
    .set({
      is_locked: 1,
      submitted_at: now,
      revision: sql`c.revision + 1`,
      ...NEXT_SUBMISSION,
    })
    .where('c.id', '=', id)
    .where(is.isOpenFor(ownerId, now))
    .returning(CHANGED)
    .executeTakeFirst()
  return toChanged(row, now)
}

/**
 * Counts the next submission of one that waits, whose files have changed; in a transaction that holds it.
 * @returns undefined when it does not wait.
 */
export async function countResubmission(
  transaction: Db,
  id: number,
  now: number,
): Promise<CollectionRecord | undefined> {
  const row = await transaction
    .updateTable('collections as c')
    .set(NEXT_SUBMISSION)
    .where('c.id', '=', id)
    .where(is.isUndecided(now))
    .returning(CHANGED)
    .executeTakeFirst()
  return toChanged(row, now)
}

/**
 * Binds decisions to a submission whose review document is there, or cannot be made. Of several who have made it the first
 * decides: what they write of it beside the collection is written after this, in its transaction.
 * @param from How its document stood until now.
 * @returns undefined when it waits no longer, or its document stands otherwise by now.
 */
export async function bindDecisions(
  transaction: Db,
  { id, number }: { id: number; number: number },
  from: DocumentState,
  bound: { digest: string | null; document_state: DocumentState },
  now: number,
): Promise<{ owner_id: number } | undefined> {
  return transaction
    .updateTable('collections as c')
    .set(bound)
    .where('c.id', '=', id)
    .where('c.submission_number', '=', number)
    .where('c.document_state', '=', from)
    .where(is.isUndecided(now))
    .returning('owner_id')
    .executeTakeFirst()
}

/**
 * Takes the collection for deletion, so that nothing is added to it any more while the transaction lasts.
 * @returns false when its state forbids deleting (specification section 6).
 */
export async function holdForDeletion(db: Db, id: number, ownerId: number, now: number): Promise<boolean> {
  const result = await db
    .updateTable('collections as c')
    .set({ revision: sql`c.revision + 1` })
    .where('c.id', '=', id)
    .where('c.owner_id', '=', ownerId)
    .where(any([all([is.isUnlocked, is.hasNoProofId]), all([is.isLocked, is.isInactive(now)])]))
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/**
 * Makes whoever wants to delete the collection or one of its contents wait for the end of this transaction.
 * @returns undefined when it is gone.
 */
export async function holdCollection(transaction: Db, id: number): Promise<{ owner_id: number } | undefined> {
  return transaction
    .updateTable('collections')
    .set(({ ref }) => ({ revision: ref('revision') }))
    .where('id', '=', id)
    .returning('owner_id')
    .executeTakeFirst()
}

/** Blob keys of all its originals and their thumbnails, and of review documents; in a transaction that holds it. */
export async function listFileKeys(db: Db, id: number): Promise<string[]> {
  const contents = await db
    .selectFrom('contents')
    .select(['blob_key', 'thumbnail_key'])
    .where('collection_id', '=', id)
    .execute()
  const submissions = await db
    .selectFrom('submissions')
    .select('document_key')
    .where('collection_id', '=', id)
    .where('document_key', 'is not', null)
    .execute()
  return [
    ...contents.flatMap(({ blob_key, thumbnail_key }) => [blob_key, thumbnail_key]),
    ...submissions.map(({ document_key }) => document_key),
  ].filter((key) => key !== null)
}

/** Contents and comments go with it; its proof stays, without a collection. */
export async function deleteCollectionRow(db: Db, id: number): Promise<void> {
  await db.deleteFrom('collections').where('id', '=', id).execute()
}

/** Stands in `claim_id` between the deciding update and the insert of the proof, within one transaction. */
const CLAIM_WITHOUT_PROOF = 0

/**
 * The one update that decides who approves (design, section 3, step 2). `pointClaimAt` must follow in the same
 * transaction.
 * @param claim `revision` and `digest` are those the certified PDF was built from.
 * @returns false when anything about the collection has moved on since.
 */
export async function claimCollection(
  db: Db,
  id: number,
  claim: { revision: number; digest: string; now: number },
): Promise<boolean> {
  const result = await db
    .updateTable('collections as c')
    .set({ claim_id: CLAIM_WITHOUT_PROOF })
    .where('c.id', '=', id)
    .where(is.isUndecided(claim.now))
    .where('c.revision', '=', claim.revision)
    .where(hasDigest(claim.digest))
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export async function pointClaimAt(transaction: Db, id: number, proofRowId: number): Promise<void> {
  await transaction
    .updateTable('collections')
    .set({ claim_id: proofRowId })
    .where('id', '=', id)
    .where('claim_id', '=', CLAIM_WITHOUT_PROOF)
    .executeTakeFirstOrThrow()
}

/** A row `c` whose newest submission has this digest; any where none is said. */
const hasDigest = (digest: string | undefined): Condition =>
  digest === undefined ? everything : sql`c.digest = ${digest}`

/** Makes a claimed approval visible. @returns the number of its submission; undefined when that proof does not hold it. */
export async function publishApproval(
  db: Db,
  id: number,
  approval: {
    proofRowId: number
    proofid: string
    adminDesc: string
    expireTime: number | null
    reviewerId: number
  },
): Promise<number | undefined> {
  const row = await db
    .updateTable('collections as c')
    .set({
      proofid: approval.proofid,
      admin_desc: approval.adminDesc,
      expire_time: approval.expireTime,
      reviewer_id: approval.reviewerId,
    })
    .where('c.id', '=', id)
    .where('c.claim_id', '=', approval.proofRowId)
    .where(is.hasNoProofId)
    .returning('submission_number')
    .executeTakeFirst()
  return row?.submission_number
}

/**
 * Lets an approved collection be active for as long as its proof holds now; in the transaction that changes the proof.
 * @returns false when it was deleted.
 */
export async function moveExpiry(
  transaction: Db,
  id: number,
  proofRowId: number,
  expireTime: number | null,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('collections')
    .set({ expire_time: expireTime })
    .where('id', '=', id)
    .where('claim_id', '=', proofRowId)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * Gives an undecided collection back to its owner.
 * @returns undefined when someone else decided first, or it has another digest than the one that was looked at.
 */
export async function rejectCollection(
  db: Db,
  id: number,
  rejection: { adminDesc: string; reviewerId: number; digest: string | undefined; now: number },
): Promise<CollectionRecord | undefined> {
  const row = await db
    .updateTable('collections as c')
    .set({ is_locked: 0, admin_desc: rejection.adminDesc, reviewer_id: rejection.reviewerId })
    .where('c.id', '=', id)
    .where(is.isUndecided(rejection.now))
    .where(hasDigest(rejection.digest))
    .returning(CHANGED)
    .executeTakeFirst()
  return toChanged(row, rejection.now)
}

/** Gives a collection back whose claimed approval is withdrawn. @returns undefined when that proof does not hold it. */
export async function releaseClaim(
  db: Db,
  id: number,
  withdrawal: { proofRowId: number; adminDesc: string; reviewerId: number; now: number },
): Promise<CollectionRecord | undefined> {
  const row = await db
    .updateTable('collections as c')
    .set({ is_locked: 0, claim_id: null, admin_desc: withdrawal.adminDesc, reviewer_id: withdrawal.reviewerId })
    .where('c.id', '=', id)
    .where('c.claim_id', '=', withdrawal.proofRowId)
    .where(is.hasNoProofId)
    .returning(CHANGED)
    .executeTakeFirst()
  return toChanged(row, withdrawal.now)
}
