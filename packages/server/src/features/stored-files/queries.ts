import type { Db } from '../../db/open.ts'
import type { SpoiledFileRow } from '../../db/stored-file-tables.ts'

export type StoredKind = SpoiledFileRow['kind']

/** A stored file that a row of a collection points at. */
export interface KeptFile {
  /** Of its row. */
  id: number
  collection_id: number
  key: string
  sha256: string
}

/** The first of a kind behind a row. Originals: what is in collections now. */
export async function listKept(db: Db, kind: StoredKind, afterId: number, most: number): Promise<KeptFile[]> {
  if (kind === 'original')
    return db
      .selectFrom('contents')
      .select(['id', 'collection_id', 'blob_key as key', 'sha256'])
      .where('id', '>', afterId)
      .orderBy('id')
      .limit(most)
      .execute()
  return db
    .selectFrom('submissions')
    .select(['id', 'collection_id', 'document_key as key', 'document_sha256 as sha256'])
    .where('id', '>', afterId)
    .where('document_key', 'is not', null)
    .where('document_sha256', 'is not', null)
    .orderBy('id')
    .limit(most)
    .$narrowType<{ key: string; sha256: string }>()
    .execute()
}

/** Whether a row of the collection still points at it. */
export async function isKept(
  db: Db,
  kind: StoredKind,
  { key, collection_id }: Omit<KeptFile, 'id' | 'sha256'>,
): Promise<boolean> {
  const row =
    kind === 'original'
      ? await db
          .selectFrom('contents')
          .select('id')
          .where('collection_id', '=', collection_id)
          .where('blob_key', '=', key)
          .executeTakeFirst()
      : await db
          .selectFrom('submissions')
          .select('id')
          .where('collection_id', '=', collection_id)
          .where('document_key', '=', key)
          .executeTakeFirst()
  return row !== undefined
}

export async function keepSpoiled(db: Db, file: SpoiledFileRow): Promise<void> {
  await db
    .insertInto('spoiled_files')
    .values(file)
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ found_at: file.found_at, told: file.told }))
    .execute()
}

export async function deleteSpoiled(db: Db, keys: readonly string[]): Promise<void> {
  if (keys.length > 0) await db.deleteFrom('spoiled_files').where('key', 'in', keys).execute()
}

/**
 * Forgets what was found of files that no row points at any more.
 * @scans: what is spoiled is next to nothing, or the installation has other sorrows.
 */
export async function deleteUnkept(db: Db, kind: StoredKind): Promise<void> {
  await db
    .deleteFrom('spoiled_files')
    .where('kind', '=', kind)
    .where(({ not, exists, selectFrom }) =>
      not(
        kind === 'original'
          ? exists(
              selectFrom('contents')
                .select('contents.id')
                .whereRef('contents.collection_id', '=', 'spoiled_files.collection_id')
                .whereRef('contents.blob_key', '=', 'spoiled_files.key'),
            )
          : exists(
              selectFrom('submissions')
                .select('submissions.id')
                .whereRef('submissions.collection_id', '=', 'spoiled_files.collection_id')
                .whereRef('submissions.document_key', '=', 'spoiled_files.key'),
            ),
      ),
    )
    .execute()
}
