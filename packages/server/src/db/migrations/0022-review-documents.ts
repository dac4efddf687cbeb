import { sql, type Kysely } from 'kysely'
import type { Engine } from '../open.ts'

/**
 * Review documents of submissions. What waits has its document prepared at the first start, and can be decided on then;
 * what was decided before keeps its digest and has none.
 */
export async function addReviewDocuments(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { schema } = db
  await schema
    .alterTable('submissions')
    .addColumn('document_state', 'text', (c) => c.notNull().defaultTo('none'))
    .execute()
  await schema.alterTable('submissions').addColumn('document_key', 'text').execute()
  await schema.alterTable('submissions').addColumn('document_size', 'bigint').execute()
  await schema.alterTable('submissions').addColumn('document_sha256', 'text').execute()
  await schema.alterTable('submissions').addColumn('document_pages', 'integer').execute()
  await schema.alterTable('submissions').addColumn('document_problem', 'text').execute()
  await schema.alterTable('submission_files').addColumn('prepared', 'text').execute()
  await schema
    .alterTable('collections')
    .addColumn('document_state', 'text', (c) => c.notNull().defaultTo('none'))
    .execute()
  await letDigestsWait(db)
  await prepareWaiting(db, engine)
}

/** A column that must not be null cannot become another on SQLite: it makes room for one of the same name. */
async function letDigestsWait(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('submissions').addColumn('prepared_digest', 'text').execute()
  await sql`update submissions set prepared_digest = digest`.execute(db)
  await db.schema.alterTable('submissions').dropColumn('digest').execute()
  await db.schema.alterTable('submissions').renameColumn('prepared_digest', 'digest').execute()
}

async function prepareWaiting(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const waits = sql`outcome = 'waiting' and exists (select 1 from submission_files where submission_id = submissions.id)
    and exists (select 1 from collections where collections.id = submissions.collection_id
      and collections.claim_id is null)`
  const text = engine === 'sqlite' ? sql`cast(id as text)` : sql`id::text`
  await sql`insert into outbox (kind, payload, attempts, due_at, created_at)
    select 'prepare_document', '{"submission_id":' || ${text} || '}', 0, sent_at, sent_at from submissions
    where ${waits} order by id`.execute(db)
  await sql`update submissions set document_state = 'preparing', digest = null where ${waits}`.execute(db)
  await sql`update collections set document_state = 'preparing', digest = null where exists (select 1 from submissions
    where submissions.collection_id = collections.id and submissions.document_state = 'preparing')`.execute(db)
}
