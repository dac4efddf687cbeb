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
