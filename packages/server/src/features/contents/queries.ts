import type { Content } from '@proofdesk/contract/contents'
import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import type { ContentRow } from '../../db/schema.ts'
import { foldCase } from '../../fold-case.ts'

/** A stored file; times are milliseconds since 1970-01-01 UTC. */
export type ContentRecord = Omit<ContentRow, 'id' | 'title_key' | 'position'> & { id: number; position: number }

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
  'sha256',
  'created_at',
] as const

/** All of a collection; those in one position by their age, ties by id. */
export async function listContents(
  db: Db,
  collectionId: number,
  order: { by: 'created_at' | 'title' | 'position'; direction: 'asc' | 'desc' },
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

/** @param content Without `position` it comes after all that are there: in the place of the last, and younger. */
export async function insertContent(
  db: Db,
  content: Omit<ContentRecord, 'id' | 'position'> & { position?: number | undefined },
): Promise<number> {
  const { id } = await db
    .insertInto('contents')
    .values((build) => ({
      ...content,
      title_key: foldCase(content.title),
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

/** @returns false when it was gone already. */
export async function deleteContentRow(db: Db, id: number): Promise<boolean> {
  const result = await db.deleteFrom('contents').where('id', '=', id).executeTakeFirst()
  return result.numDeletedRows === 1n
}

/** The shape the API shows. */
export function toContent(
  record: ContentRecord,
  collection: { id: number; is_active: boolean; is_locked: boolean; proofid: string | null; username: string },
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
    sha256: record.sha256,
    collection: { id: collection.id, is_locked: collection.is_locked, proofid: collection.proofid },
    username: collection.username,
    created_at: new Date(record.created_at).toISOString(),
  }
}
