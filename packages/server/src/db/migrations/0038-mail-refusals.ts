import type { Kysely } from 'kysely'

/** When a mail server last refused somebody's present address for good, and its words. */
export async function addMailRefusals(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('users').addColumn('mail_refused_at', 'bigint').execute()
  await db.schema.alterTable('users').addColumn('mail_refused_words', 'text').execute()
}
