import type { Selectable } from 'kysely'
import type { Db } from '../../db/open.ts'
import type { SpoiledFileRow, StoredRoundRow } from '../../db/stored-file-tables.ts'

export type StoredRound = Selectable<StoredRoundRow>
export type StoredKind = StoredRound['kind']

/** A stored file that a row of a collection points at. */
export interface KeptFile {
  /** Of its row. */
  id: number
  collection_id: number
  key: string
  sha256: string
}

/** The first of a kind behind a row. Originals: what is in collections now. */
export async function findKeptAfter(db: Db, kind: StoredKind, id: number): Promise<KeptFile | undefined> {
  if (kind === 'original')
    return db
      .selectFrom('contents')
      .select(['id', 'collection_id', 'blob_key as key', 'sha256'])
      .where('id', '>', id)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
  const row = await db
    .selectFrom('submissions')
    .select(['id', 'collection_id', 'document_key as key', 'document_sha256 as sha256'])
    .where('id', '>', id)
    .where('document_key', 'is not', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (!row || row.key === null || row.sha256 === null) return undefined
  return { ...row, key: row.key, sha256: row.sha256 }
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

export async function findRound(db: Db, kind: StoredKind): Promise<StoredRound | undefined> {
  return db.selectFrom('stored_rounds').selectAll().where('kind', '=', kind).executeTakeFirst()
}

/** Of several processes one is first. */
export async function insertFirstRound(db: Db, kind: StoredKind, now: number): Promise<void> {
  await db
    .insertInto('stored_rounds')
    .values({ kind, began_at: now, reached_id: 0, is_under_way: 1, ended_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** @returns false when another process was quicker. */
export async function moveRound(
  transaction: Db,
  { kind, began_at, reached_id, is_under_way }: StoredRound,
  to: Partial<Omit<StoredRound, 'kind'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('stored_rounds')
    .set(to)
    .where('kind', '=', kind)
    .where('began_at', '=', began_at)
    .where('reached_id', '=', reached_id)
    .where('is_under_way', '=', is_under_way)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function keepSpoiled(db: Db, file: SpoiledFileRow): Promise<void> {
  await db
    .insertInto('spoiled_files')
    .values(file)
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ found_at: file.found_at, told: file.told }))
    .execute()
}

export async function deleteSpoiled(db: Db, key: string): Promise<void> {
  await db.deleteFrom('spoiled_files').where('key', '=', key).execute()
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
