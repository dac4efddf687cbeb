import { digestSubmission } from '@proofdesk/proof/submission-digest'
import { sql, type ColumnDefinitionBuilder, type Kysely } from 'kysely'
import type { Engine } from '../open.ts'

/** What was sent for review, round for round. What waits becomes the first round; earlier ones were not kept. */
export async function addSubmissions(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const idType = engine === 'sqlite' ? 'integer' : 'bigint'
  const id = (column: ColumnDefinitionBuilder) =>
    engine === 'sqlite' ? column.primaryKey().autoIncrement() : column.primaryKey().generatedByDefaultAsIdentity()
  const must = (column: ColumnDefinitionBuilder) => column.notNull()

  await db.schema
    .alterTable('collections')
    .addColumn('submission_number', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await db.schema.alterTable('collections').addColumn('digest', 'text').execute()

  await db.schema
    .createTable('submissions')
    .addColumn('id', idType, id)
    .addColumn('collection_id', idType, (c) => c.notNull().references('collections.id').onDelete('cascade'))
    .addColumn('number', 'integer', must)
    .addColumn('title', 'text', must)
    .addColumn('username', 'text', must)
    .addColumn('digest', 'text', must)
    .addColumn('sent_at', 'bigint', must)
    .addColumn('outcome', 'text', (c) => c.notNull().defaultTo('waiting'))
    .addColumn('decided_at', 'bigint')
    .addColumn('reviewer_id', idType, (c) => c.references('users.id'))
    .addColumn('decision_id', idType, (c) => c.references('decisions.id').onDelete('set null'))
    .addUniqueConstraint('submissions_number', ['collection_id', 'number'])
    .execute()
  await db.schema
    .createTable('submission_files')
    .addColumn('submission_id', idType, (c) => c.notNull().references('submissions.id').onDelete('cascade'))
    .addColumn('place', 'integer', must)
    .addColumn('content_id', idType, must)
    .addColumn('title', 'text', must)
    .addColumn('file_name', 'text', must)
    .addColumn('type', 'text', must)
    .addColumn('size', 'bigint', must)
    .addColumn('pages', 'integer', must)
    .addColumn('sha256', 'text', must)
    .addPrimaryKeyConstraint('submission_files_place', ['submission_id', 'place'])
    .execute()
  await keepWaiting(db)
}

interface WaitingRow {
  id: number
  title: string
  username: string
  submitted_at: number | null
  created_at: number
}

interface FileRow {
  id: number
  title: string
  file_name: string
  type: string
  size: number
  pages: number
  sha256: string
}

async function keepWaiting(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<WaitingRow>`select c.id, c.title, u.username, c.submitted_at, c.created_at
    from collections as c inner join users as u on u.id = c.owner_id
    where c.is_locked = 1 and c.proofid is null order by c.id`.execute(db)
  for (const { id, title, username, submitted_at, created_at } of rows) {
    const { rows: files } = await sql<FileRow>`select id, title, file_name, type, size, pages, sha256 from contents
      where collection_id = ${id} order by position, created_at, id`.execute(db)
    const digest = digestSubmission({
      number: 1,
      title,
      username,
      files: files.map(({ file_name, ...file }) => ({ ...file, fileName: file_name })),
    })
    await sql`update collections set submission_number = 1, digest = ${digest} where id = ${id}`.execute(db)
    const { rows: made } = await sql<{ id: number }>`insert into submissions
      (collection_id, number, title, username, digest, sent_at)
      values (${id}, 1, ${title}, ${username}, ${digest}, ${submitted_at ?? created_at}) returning id`.execute(db)
    for (const [place, file] of files.entries())
      await sql`insert into submission_files
        (submission_id, place, content_id, title, file_name, type, size, pages, sha256)
        values (${made[0]?.id}, ${place + 1}, ${file.id}, ${file.title}, ${file.file_name}, ${file.type},
          ${file.size}, ${file.pages}, ${file.sha256})`.execute(db)
  }
}
