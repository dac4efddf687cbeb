import type { PreparedDocument } from '@proofdesk/certify/types'
import type { DocumentState } from '@proofdesk/contract/collections'
import { PAGE_SIZE } from '@proofdesk/contract/limits'
import type { SubmissionOutcome } from '@proofdesk/contract/submissions'
import { sql, type Insertable, type Selectable, type UpdateObject } from 'kysely'
import type { Db } from '../../db/open.ts'
import type { Tables } from '../../db/schema.ts'
import type { SubmissionFileRow, SubmissionRow } from '../../db/submission-tables.ts'

/** A file as it was sent. */
export type SentFile = Omit<Selectable<SubmissionFileRow>, 'submission_id' | 'place'>

/** One round; times are milliseconds since 1970-01-01 UTC. */
export interface SubmissionRecord {
  id: number
  number: number
  title: string
  username: string
  digest: string | null
  sent_at: number
  outcome: SubmissionOutcome
  decided_at: number | null
  /** Username of who decided. */
  reviewer: string | null
  admin_desc: string | null
  document_state: DocumentState
  document_pages: number | null
  /** Bytes. */
  document_size: number | null
  document_sha256: string | null
  /** A `DocumentProblem` as JSON. */
  document_problem: string | null
  /** In the order of the certified PDF. */
  files: SentFile[]
}

/** The files of a collection as they are now, in the order of the certified PDF; in a transaction that holds it. */
export async function listFilesToSend(transaction: Db, collectionId: number): Promise<Omit<SentFile, 'prepared'>[]> {
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
  submission: Pick<
    Insertable<SubmissionRow>,
    'collection_id' | 'number' | 'title' | 'username' | 'digest' | 'sent_at' | 'document_state'
  >,
  files: readonly Omit<SentFile, 'prepared'>[],
): Promise<number> {
  const { id } = await transaction
    .insertInto('submissions')
    .values(submission)
    .returning('id')
    .executeTakeFirstOrThrow()
  if (files.length === 0) return id
  await transaction
    .insertInto('submission_files')
    .values(files.map((file, index) => ({ ...file, submission_id: id, place: index + 1 })))
    .execute()
  return id
}

/** What a file was called when it was sent. */
export type FileNames = Pick<SentFile, 'title' | 'file_name'>

/** What contents that may be gone were called when they were sent last; those that never were are missing. */
export async function listSentNames(
  db: Db,
  collectionId: number,
  contentIds: readonly number[],
): Promise<Map<number, FileNames>> {
  const rows = await db
    .selectFrom('submissions as s')
    .innerJoin('submission_files as f', 'f.submission_id', 's.id')
    .select(['f.content_id', 'f.title', 'f.file_name'])
    .where('s.collection_id', '=', collectionId)
    .where('f.content_id', 'in', contentIds)
    .orderBy('s.number')
    .execute()
  return new Map(rows.map(({ content_id, ...names }) => [content_id, names]))
}

/** What waits for its review document. */
export interface SubmissionToPrepare {
  id: number
  collection_id: number
  number: number
  title: string
  username: string
  /** In the order of the certified PDF. */
  files: (Pick<SentFile, 'title' | 'file_name' | 'type' | 'size' | 'sha256'> & {
    blob_key: string
    is_pictured: number
  })[]
}

/** @returns undefined when it was prepared already, decided on or replaced. */
export async function findToPrepare(db: Db, id: number): Promise<SubmissionToPrepare | undefined> {
  const submission = await db
    .selectFrom('submissions')
    .select(['id', 'collection_id', 'number', 'title', 'username'])
    .where('id', '=', id)
    .where('document_state', '=', 'preparing')
    .where('outcome', '=', 'waiting')
    .executeTakeFirst()
  if (!submission) return undefined
  const files = await db
    .selectFrom('submission_files as f')
    .innerJoin('contents as c', 'c.id', 'f.content_id')
    .select(['f.title', 'f.file_name', 'f.type', 'f.size', 'f.sha256', 'c.blob_key', 'c.is_pictured'])
    .where('f.submission_id', '=', id)
    .orderBy('f.place')
    .execute()
  return { ...submission, files }
}

/** Why no review document could be made. @property file Counted from 0; null where it is about all of them. */
export interface DocumentProblem {
  file: number | null
  detail: string
}

/** What came of preparing: a stored file, or why there is none. */
export type SettledDocument = { key: string; prepared: PreparedDocument } | { problem: DocumentProblem }

/** In the transaction that has bound decisions to it. */
export async function settleDocument(
  transaction: Db,
  { id }: Pick<SubmissionToPrepare, 'id'>,
  digest: string,
  outcome: SettledDocument,
): Promise<void> {
  await transaction
    .updateTable('submissions')
    .set(
      'problem' in outcome
        ? { digest, document_state: 'failed', document_problem: JSON.stringify(outcome.problem) }
        : {
            digest,
            document_state: 'ready',
            document_key: outcome.key,
            document_size: outcome.prepared.sizeBytes,
            document_sha256: outcome.prepared.sha256,
            document_pages: outcome.prepared.pages,
          },
    )
    .where('id', '=', id)
    .execute()
  if ('problem' in outcome) return
  for (const [index, original] of outcome.prepared.originals.entries())
    await transaction
      .updateTable('submission_files')
      .set({ prepared: JSON.stringify(original) })
      .where('submission_id', '=', id)
      .where('place', '=', index + 1)
      .execute()
}

/** One that waits although no review document could be made of it. */
export interface FailedSubmission extends Pick<Selectable<SubmissionRow>, 'id' | 'collection_id' | 'number'> {
  problem: DocumentProblem | null
  originals: { key: string; sha256: string }[]
}

/** @scans: in a process of its own, and hardly ever. */
export async function listFailed(db: Db): Promise<FailedSubmission[]> {
  const rows = await db
    .selectFrom('submissions as s')
    .innerJoin('submission_files as f', 'f.submission_id', 's.id')
    .innerJoin('contents as c', 'c.id', 'f.content_id')
    .select(['s.id', 's.collection_id', 's.number', 's.document_problem', 'c.blob_key as key', 'c.sha256'])
    .where('s.outcome', '=', 'waiting')
    .where('s.document_state', '=', 'failed')
    .orderBy('s.id')
    .execute()
  const failed = new Map<number, FailedSubmission>()
  for (const { key, sha256, document_problem, ...one } of rows) {
    const problem = document_problem === null ? null : (JSON.parse(document_problem) as DocumentProblem)
    const known = failed.get(one.id) ?? { ...one, problem, originals: [] }
    known.originals.push({ key, sha256 })
    failed.set(one.id, known)
  }
  return [...failed.values()]
}

/** In the transaction that no longer binds decisions to it. */
export async function beginDocumentAnew(transaction: Db, id: number): Promise<void> {
  await transaction
    .updateTable('submissions')
    .set({ digest: null, document_state: 'preparing', document_problem: null })
    .where('id', '=', id)
    .execute()
}

/** A review document, and all that is said of it. */
export type StoredDocument = Pick<SubmissionRecord, 'id' | 'number' | 'title' | 'username' | 'files'> & {
  key: string
  /** Bytes. */
  size: number
  sha256: string
}

/** @returns undefined where there is none, or none any more. */
export async function findDocument(db: Db, collectionId: number, number: number): Promise<StoredDocument | undefined> {
  const row = await db
    .selectFrom('submissions')
    .select(['id', 'number', 'title', 'username', 'document_key', 'document_size', 'document_sha256'])
    .where('collection_id', '=', collectionId)
    .where('number', '=', number)
    .executeTakeFirst()
  if (!row) return undefined
  const { id, document_key: key, document_size: size, document_sha256: sha256, ...facts } = row
  if (key === null || size === null || sha256 === null) return undefined
  return { ...facts, id, key, size, sha256, files: (await listFiles(db, [id])).get(id) ?? [] }
}

/** Gives up the review documents of a collection; in a transaction that holds it. @returns their keys. */
export async function dropDocuments(transaction: Db, collectionId: number): Promise<string[]> {
  const keys = await listDocumentKeys(transaction, collectionId)
  if (keys.length > 0)
    await transaction
      .updateTable('submissions')
      .set({ document_state: 'none', document_key: null })
      .where('collection_id', '=', collectionId)
      .where('document_key', 'is not', null)
      .execute()
  return keys
}

/**
 * What became of one that waits, as `settleSubmission`, and the end of the review document of its collection, in a transaction
 * that holds it. There is just its own: each submission gives up those before it. @returns its key.
 */
export async function settleAndDrop(
  transaction: Db,
  collectionId: number,
  number: number,
  outcome: Outcome,
): Promise<string[]> {
  const keys = await listDocumentKeys(transaction, collectionId)
  await settle(transaction, collectionId, number, { ...outcome, document_state: 'none', document_key: null })
  return keys
}

async function listDocumentKeys(db: Db, collectionId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('submissions')
    .select('document_key')
    .where('collection_id', '=', collectionId)
    .where('document_key', 'is not', null)
    .execute()
  return rows.map(({ document_key: key }) => key).filter((key) => key !== null)
}

export interface Outcome {
  outcome: Exclude<SubmissionOutcome, 'waiting'>
  decided_at: number
  reviewer_id: number
  /** What the reviewer wrote; null where nobody wrote anything. */
  decision_id: number | null
}

/** What became of one that waits; nothing for collections from before submissions were kept. */
export async function settleSubmission(
  transaction: Db,
  collectionId: number,
  number: number,
  outcome: Outcome,
): Promise<void> {
  await settle(transaction, collectionId, number, {
    ...outcome,
    // Nobody waits for it any more.
    document_state: sql<DocumentState>`case when document_state = 'preparing' then 'none' else document_state end`,
  })
}

async function settle(
  transaction: Db,
  collectionId: number,
  number: number,
  values: UpdateObject<Tables, 'submissions'>,
): Promise<void> {
  await transaction
    .updateTable('submissions')
    .set(values)
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

/** One of a collection: the newest with this digest, or that with this number. */
export async function findSubmission(
  db: Db,
  collectionId: number,
  which: { digest: string } | { number: number },
): Promise<SubmissionRecord | undefined> {
  const rows = await selectSubmissions(db, collectionId)
    .where((eb) => ('digest' in which ? eb('s.digest', '=', which.digest) : eb('s.number', '=', which.number)))
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
      's.document_state',
      's.document_pages',
      's.document_size',
      's.document_sha256',
      's.document_problem',
    ])
    .where('s.collection_id', '=', collectionId)
}

async function addFiles(db: Db, rows: Omit<SubmissionRecord, 'files'>[]): Promise<SubmissionRecord[]> {
  const filesOf = await listFiles(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({ ...row, files: filesOf.get(row.id) ?? [] }))
}

/** The files of each submission, in order. */
async function listFiles(db: Db, submissionIds: readonly number[]): Promise<Map<number, SentFile[]>> {
  if (submissionIds.length === 0) return new Map()
  const files = await db
    .selectFrom('submission_files')
    .selectAll()
    .where('submission_id', 'in', submissionIds)
    .orderBy('submission_id')
    .orderBy('place')
    .execute()
  return Map.groupBy(files, ({ submission_id }) => submission_id)
}

/** Who decided last on a collection, and what it was called then. */
export async function findLastDecision(
  db: Db,
  collectionId: number,
): Promise<{ reviewer_id: number; title: string } | undefined> {
  const row = await db
    .selectFrom('submissions')
    .select(['reviewer_id', 'title'])
    .where('collection_id', '=', collectionId)
    .where('decision_id', 'is not', null)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined || row.reviewer_id === null ? undefined : { reviewer_id: row.reviewer_id, title: row.title }
}

/** What a collection was called each time it was sent. */
export async function listSentTitles(db: Db, collectionId: number): Promise<string[]> {
  const rows = await db.selectFrom('submissions').select('title').where('collection_id', '=', collectionId).execute()
  return rows.map(({ title }) => title)
}
