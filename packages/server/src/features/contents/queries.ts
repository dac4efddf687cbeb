import type { Content } from '@proofdesk/contract/contents'
import { listContentRights, type Viewer } from '@proofdesk/contract/permissions'
import { sql, type Selectable } from 'kysely'
import type { Order } from '../../db/list.ts'
import type { Db } from '../../db/open.ts'
import type { ContentRow } from '../../db/schema.ts'
import { foldCase } from '../../text/fold-case.ts'
import type { CollectionRecord } from '../collections/queries.ts'
import { findWaiting } from '../collections/service.ts'

/** A stored file; times are milliseconds since 1970-01-01 UTC. */
export type ContentRecord = Omit<Selectable<ContentRow>, 'title_key'>

/** A picture of a first page, stored. */
export interface StoredThumbnail {
  key: string
  /** Bytes. */
  size: number
  /** SHA-256 of the bytes, hex. */
  sha256: string
}

const COLUMNS = [
  'id',
  'collection_id',
  'title',
  'title_type',
  'type',
  'position',
  'file_name',
  'blob_key',
  'size',
  'pages',
  'is_pictured',
  'sha256',
  'created_at',
  'upload_id',
  'thumbnail_state',
  'thumbnail_key',
  'thumbnail_size',
  'thumbnail_sha256',
] as const

/** All of a collection; those in one position by their age, ties by id. */
export async function listContents(
  db: Db,
  collectionId: number,
  order: Order<'created_at' | 'title' | 'position'>,
): Promise<ContentRecord[]> {
  const { by, direction } = order
  return db
    .selectFrom('contents')
    .select(COLUMNS)
    .where('collection_id', '=', collectionId)
    .$if(by === 'title', (query) => query.orderBy('title_key', direction))
    .$if(by === 'position', (query) => query.orderBy('position', direction))
    .$if(by !== 'title', (query) => query.orderBy('created_at', direction))
    .orderBy('id', direction)
    .execute()
}

export async function findContent(db: Db, id: number): Promise<ContentRecord | undefined> {
  return db.selectFrom('contents').select(COLUMNS).where('id', '=', id).executeTakeFirst()
}

/** Pages of all files that are kept as pictures, of the collection that a content is in. */
export async function countPicturedPages(db: Db, contentId: number): Promise<number> {
  const { pages } = await db
    .selectFrom('contents as one')
    .innerJoin('contents as each', 'each.collection_id', 'one.collection_id')
    .select(({ fn }) => fn.coalesce(fn.sum<number>('each.pages'), sql.lit(0)).as('pages'))
    .where('one.id', '=', contentId)
    .where('each.is_pictured', '=', 1)
    .executeTakeFirstOrThrow()
  return pages
}

/** @returns the id of what an upload has become. */
export async function findUploaded(db: Db, collectionId: number, uploadId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('contents')
    .select('id')
    .where('collection_id', '=', collectionId)
    .where('upload_id', '=', uploadId)
    .executeTakeFirst()
  return row?.id
}

/**
 * A new content, whose thumbnail is to be drawn.
 * @param content Without `position` it comes after all that are there: in the place of the last, and younger.
 */
export async function insertContent(
  db: Db,
  content: Omit<ContentRecord, 'id' | 'position' | `thumbnail_${string}`> & { position?: number | undefined },
): Promise<number> {
  const { id } = await db
    .insertInto('contents')
    .values((build) => ({
      ...content,
      title_key: foldCase(content.title),
      thumbnail_state: 'pending' as const,
      position:
        content.position ??
        build
          .selectFrom('contents as other')
          .select((other) => other.fn.coalesce(other.fn.max('other.position'), sql.lit(0)).as('position'))
          .where('other.collection_id', '=', content.collection_id),
    }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** @returns false when it is gone. */
export async function renameContentRow(
  db: Db,
  id: number,
  { title, title_type }: Pick<ContentRecord, 'title' | 'title_type'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('contents')
    .set({ title, title_key: foldCase(title), title_type })
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Another file under the same id, title and position; its thumbnail is to be drawn. */
export async function replaceContentFile(
  db: Db,
  id: number,
  file: Pick<ContentRecord, 'type' | 'file_name' | 'blob_key' | 'size' | 'pages' | 'is_pictured' | 'sha256'>,
): Promise<void> {
  await db
    .updateTable('contents')
    .set({
      ...file,
      thumbnail_state: 'pending',
      thumbnail_key: null,
      thumbnail_size: null,
      thumbnail_sha256: null,
    })
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

/** In a transaction that holds their collection. @param ids In their new order, from position 1 on. */
export async function orderContentRows(transaction: Db, ids: readonly number[]): Promise<void> {
  for (const [index, id] of ids.entries())
    await transaction
      .updateTable('contents')
      .set({ position: index + 1 })
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
}

/** @returns the keys of its blobs; undefined when it was gone already. */
export async function deleteContentRow(db: Db, id: number): Promise<string[] | undefined> {
  const row = await db
    .deleteFrom('contents')
    .where('id', '=', id)
    .returning(['blob_key', 'thumbnail_key'])
    .executeTakeFirst()
  return row && (row.thumbnail_key === null ? [row.blob_key] : [row.blob_key, row.thumbnail_key])
}

/** Of several contents, those whose thumbnail nobody has asked for yet; from now on it is to be drawn. */
export async function claimMissingThumbnails(db: Db, ids: number[]): Promise<number[]> {
  const rows = await db
    .updateTable('contents')
    .set({ thumbnail_state: 'pending' })
    .where('id', 'in', ids)
    .where('thumbnail_state', '=', 'missing')
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}

/** @returns false when nobody waits for it any more, or another file has taken its place. */
export async function settleThumbnail(
  db: Db,
  { id, blob_key }: Pick<ContentRecord, 'id' | 'blob_key'>,
  outcome: StoredThumbnail | 'none' | 'missing',
): Promise<boolean> {
  const columns =
    typeof outcome === 'string'
      ? { thumbnail_state: outcome }
      : {
          thumbnail_state: 'ready' as const,
          thumbnail_key: outcome.key,
          thumbnail_size: outcome.size,
          thumbnail_sha256: outcome.sha256,
        }
  const { numUpdatedRows } = await db
    .updateTable('contents')
    .set(columns)
    .where('id', '=', id)
    .where('blob_key', '=', blob_key)
    .where('thumbnail_state', '=', 'pending')
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** As if nobody had asked for it yet. @returns false when it is another one by now. */
export async function loseThumbnail(db: Db, id: number, key: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('contents')
    .set({ thumbnail_state: 'missing', thumbnail_key: null, thumbnail_size: null, thumbnail_sha256: null })
    .where('id', '=', id)
    .where('thumbnail_key', '=', key)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** @returns undefined while there is none. */
export function readThumbnail(record: ContentRecord): StoredThumbnail | undefined {
  const { thumbnail_key: key, thumbnail_size: size, thumbnail_sha256: sha256 } = record
  return key === null || size === null || sha256 === null ? undefined : { key, size, sha256 }
}

/** To those who look, one that nobody has asked for yet is on its way too: looking asks for it. */
const SHOWN_THUMBNAIL = { missing: 'PENDING', pending: 'PENDING', ready: 'READY', none: 'NONE' } as const

/** The shape the API shows. */
export function toContent(
  record: ContentRecord,
  collection: CollectionRecord,
  viewer: Viewer,
  fileAddress: string,
): Content {
  return {
    id: record.id,
    title: record.title,
    title_type: record.title_type,
    type: record.type,
    position: record.position,
    is_active: collection.is_active,
    file: fileAddress,
    file_name: record.file_name,
    size: record.size,
    pages: record.pages,
    is_pictured: record.is_pictured === 1,
    sha256: record.sha256,
    thumbnail: SHOWN_THUMBNAIL[record.thumbnail_state],
    upload_id: record.upload_id,
    collection: {
      id: collection.id,
      is_locked: collection.is_locked,
      proofid: collection.proofid,
      digest: findWaiting(collection)?.digest ?? null,
    },
    username: collection.username,
    created_at: new Date(record.created_at).toISOString(),
    may: listContentRights(viewer, collection),
  }
}
