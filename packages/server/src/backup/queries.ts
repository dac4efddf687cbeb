import type { Db } from '../db/open.ts'

/** A stored file that a row points at, as the row has it. */
export interface ReferencedFile {
  key: string
  sha256: string | null
}

/**
 * Every stored file that the database needs. Each key stands there once.
 * @scans: backups and checks look at all there is, in a process of their own.
 */
export async function listReferencedFiles(db: Db): Promise<ReferencedFile[]> {
  const contents = await db
    .selectFrom('contents')
    .select(['blob_key', 'sha256', 'thumbnail_key', 'thumbnail_sha256'])
    .execute()
  const proofs = await db
    .selectFrom('proofs')
    .select(['revision0_key', 'revision0_sha256', 'sealed_key', 'sealed_sha256'])
    .execute()
  const submissions = await db.selectFrom('submissions').select(['document_key', 'document_sha256']).execute()
  const all = [
    ...contents.flatMap((row) => [
      { key: row.blob_key, sha256: row.sha256 },
      { key: row.thumbnail_key, sha256: row.thumbnail_sha256 },
    ]),
    ...proofs.flatMap((row) => [
      { key: row.revision0_key, sha256: row.revision0_sha256 },
      { key: row.sealed_key, sha256: row.sealed_sha256 },
    ]),
    ...submissions.map((row) => ({ key: row.document_key, sha256: row.document_sha256 })),
  ]
  return all.flatMap(({ key, sha256 }) => (key === null ? [] : [{ key, sha256 }]))
}

/**
 * The stored files that are known to be spoiled, by those who asked for them or by the rounds, and when that was found.
 * @scans: what is spoiled is next to nothing, or the installation has other sorrows.
 */
export async function listKnownSpoiled(db: Db): Promise<(ReferencedFile & { found_at: number })[]> {
  const originals = await db
    .selectFrom('spoiled_files as f')
    .innerJoin('contents as c', (join) =>
      join.onRef('c.collection_id', '=', 'f.collection_id').onRef('c.blob_key', '=', 'f.key'),
    )
    .select(['f.key', 'c.sha256', 'f.found_at'])
    .execute()
  const documents = await db
    .selectFrom('spoiled_files as f')
    .innerJoin('submissions as s', (join) =>
      join.onRef('s.collection_id', '=', 'f.collection_id').onRef('s.document_key', '=', 'f.key'),
    )
    .select(['f.key', 's.document_sha256 as sha256', 'f.found_at'])
    .execute()
  const certified = await db
    .selectFrom('file_problems as f')
    .innerJoin('proofs as p', 'p.id', 'f.proof_id')
    .select(['p.sealed_key as key', 'p.sealed_sha256 as sha256', 'f.found_at'])
    .execute()
  return [...originals, ...documents, ...certified].flatMap(({ key, ...file }) =>
    key === null ? [] : [{ key, ...file }],
  )
}
