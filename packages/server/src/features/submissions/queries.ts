import { PAGE_SIZE } from '@proofdesk/contract/limits'
import type { SubmissionOutcome } from '@proofdesk/contract/submissions'
import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../../db/open.ts'
import type { SubmissionFileRow, SubmissionRow } from '../../db/schema.ts'

/** A file as it was sent. */
export type SentFile = Omit<Selectable<SubmissionFileRow>, 'submission_id' | 'place'>

/** One round; times are milliseconds since 1970-01-01 UTC. */
export interface SubmissionRecord {
  id: number
  number: number
  title: string
  username: string
  digest: string
  sent_at: number
  outcome: SubmissionOutcome
  decided_at: number | null
  /** Username of who decided. */
  reviewer: string | null
  admin_desc: string | null
  /** In the order of the certified PDF. */
  files: SentFile[]
}

/** The files of a collection as they are now, in the order of the certified PDF; in a transaction that holds it. */
export async function listFilesToSend(transaction: Db, collectionId: number): Promise<SentFile[]> {
  return transaction
    .selectFrom('contents')
    .select(['id as content_id', 'title', 'file_name', 'type', 'size', 'pages', 'sha256'])
    .where('collection_id', '=', collectionId)
    .orderBy('position')
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** In the transaction that locks the collection, or changes what waits. */
export async function insertSubmission(
  transaction: Db,
  submission: Pick<Insertable<SubmissionRow>, 'collection_id' | 'number' | 'title' | 'username' | 'digest' | 'sent_at'>,
  files: readonly SentFile[],
): Promise<void> {
  const { id } = await transaction
    .insertInto('submissions')
    .values(submission)
    .returning('id')
    .executeTakeFirstOrThrow()
  if (files.length === 0) return
  await transaction
    .insertInto('submission_files')
    .values(files.map((file, index) => ({ ...file, submission_id: id, place: index + 1 })))
    .execute()
}

/** What became of one that waits; nothing for collections from before submissions were kept. */
export async function settleSubmission(
  transaction: Db,
  collectionId: number,
  number: number,
  outcome: {
    outcome: Exclude<SubmissionOutcome, 'waiting'>
    decided_at: number
    reviewer_id: number
    /** What the reviewer wrote; null where nobody wrote anything. */
    decision_id: number | null
  },
): Promise<void> {
  await transaction
    .updateTable('submissions')
    .set(outcome)
    .where('collection_id', '=', collectionId)
    .where('number', '=', number)
    .where('outcome', '=', 'waiting')
    .execute()
}

export async function countSubmissions(db: Db, collectionId: number): Promise<number> {
  const { count } = await db
    .selectFrom('submissions')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('collection_id', '=', collectionId)
    .executeTakeFirstOrThrow()
  return count
}

/** A page, newest first, and the one before the last of it, which that is compared with. */
export async function listSubmissions(db: Db, collectionId: number, offset: number): Promise<SubmissionRecord[]> {
  const rows = await selectSubmissions(db, collectionId)
    .orderBy('s.number', 'desc')
    .limit(PAGE_SIZE + 1)
    .offset(offset)
    .execute()
  return addFiles(db, rows)
}

/** The newest of a collection with this digest. */
export async function findByDigest(
  db: Db,
  collectionId: number,
  digest: string,
): Promise<SubmissionRecord | undefined> {
  const rows = await selectSubmissions(db, collectionId)
    .where('s.digest', '=', digest)
    .orderBy('s.number', 'desc')
    .limit(1)
    .execute()
  return (await addFiles(db, rows))[0]
}

function selectSubmissions(db: Db, collectionId: number) {
  return db
    .selectFrom('submissions as s')
    .leftJoin('users as r', 'r.id', 's.reviewer_id')
    .leftJoin('decisions as d', 'd.id', 's.decision_id')
    .select([
      's.id',
      's.number',
      's.title',
      's.username',
      's.digest',
      's.sent_at',
      's.outcome',
      's.decided_at',
      'r.username as reviewer',
      'd.text as admin_desc',
    ])
    .where('s.collection_id', '=', collectionId)
}

async function addFiles(db: Db, rows: Omit<SubmissionRecord, 'files'>[]): Promise<SubmissionRecord[]> {
  if (rows.length === 0) return []
  const files = await db
    .selectFrom('submission_files')
    .selectAll()
    .where(
      'submission_id',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('submission_id')
    .orderBy('place')
    .execute()
  const filesOf = Map.groupBy(files, ({ submission_id }) => submission_id)
  return rows.map((row) => ({ ...row, files: filesOf.get(row.id) ?? [] }))
}
