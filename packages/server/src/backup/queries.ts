import type { Db } from '../db/open.ts'

/** A stored file that a row points at, as the row has it. */
export interface ReferencedFile {
  key: string
  sha256: string | null
}

/** One with the row that points at it. */
export interface OwnedFile extends ReferencedFile {
  table: 'contents' | 'proofs' | 'submissions'
  id: number
}

/**
 * Every stored file that the database needs. Each key stands there once.
 * @scans: backups and checks look at all there is, in a process of their own.
 */
export async function listReferencedFiles(db: Db): Promise<OwnedFile[]> {
  const contents = await db
    .selectFrom('contents')
    .select(['id', 'blob_key', 'sha256', 'thumbnail_key', 'thumbnail_sha256'])
    .execute()
  const proofs = await db
    .selectFrom('proofs')
    .select(['id', 'revision0_key', 'revision0_sha256', 'sealed_key', 'sealed_sha256'])
    .execute()
  const submissions = await db.selectFrom('submissions').select(['id', 'document_key', 'document_sha256']).execute()
  const all = [
    ...contents.flatMap(({ id, ...row }) => [
      { table: 'contents' as const, id, key: row.blob_key, sha256: row.sha256 },
      { table: 'contents' as const, id, key: row.thumbnail_key, sha256: row.thumbnail_sha256 },
    ]),
    ...proofs.flatMap(({ id, ...row }) => [
      { table: 'proofs' as const, id, key: row.revision0_key, sha256: row.revision0_sha256 },
      { table: 'proofs' as const, id, key: row.sealed_key, sha256: row.sealed_sha256 },
    ]),
    ...submissions.map(({ id, ...row }) => ({
      table: 'submissions' as const,
      id,
      key: row.document_key,
      sha256: row.document_sha256,
    })),
  ]
  return all.flatMap(({ key, ...file }) => (key === null ? [] : [{ key, ...file }]))
}

/** Whether its row still points at it. */
export async function isReferenced(db: Db, { table, id, key }: OwnedFile): Promise<boolean> {
  if (table === 'contents') {
    const row = await db
      .selectFrom('contents')
      .select(['blob_key', 'thumbnail_key'])
      .where('id', '=', id)
      .executeTakeFirst()
    return row !== undefined && [row.blob_key, row.thumbnail_key].includes(key)
  }
  if (table === 'proofs') {
    const row = await db
      .selectFrom('proofs')
      .select(['revision0_key', 'sealed_key'])
      .where('id', '=', id)
      .executeTakeFirst()
    return row !== undefined && [row.revision0_key, row.sealed_key].includes(key)
  }
  const row = await db.selectFrom('submissions').select('document_key').where('id', '=', id).executeTakeFirst()
  return row?.document_key === key
}

/**
 * The stored files that are known to be spoiled, by those who asked for them or by the rounds, and when that was found.
 * @scans: what is spoiled is next to nothing, or the installation has other sorrows.
 */
export async function listKnownSpoiled(db: Db): Promise<(OwnedFile & { found_at: number })[]> {
  const originals = await db
    .selectFrom('spoiled_files as f')
    .innerJoin('contents as c', (join) =>
      join.onRef('c.collection_id', '=', 'f.collection_id').onRef('c.blob_key', '=', 'f.key'),
    )
    .select(['c.id', 'f.key', 'c.sha256', 'f.found_at'])
    .execute()
  const documents = await db
    .selectFrom('spoiled_files as f')
    .innerJoin('submissions as s', (join) =>
      join.onRef('s.collection_id', '=', 'f.collection_id').onRef('s.document_key', '=', 'f.key'),
    )
    .select(['s.id', 'f.key', 's.document_sha256 as sha256', 'f.found_at'])
    .execute()
  const certified = await db
    .selectFrom('file_problems as f')
    .innerJoin('proofs as p', 'p.id', 'f.proof_id')
    .select(['p.id', 'p.sealed_key as key', 'p.sealed_sha256 as sha256', 'f.found_at'])
    .execute()
  return [
    ...originals.map((file) => ({ table: 'contents' as const, ...file })),
    ...documents.map((file) => ({ table: 'submissions' as const, ...file })),
    ...certified.map((file) => ({ table: 'proofs' as const, ...file })),
  ].flatMap(({ key, ...file }) => (key === null ? [] : [{ key, ...file }]))
}
