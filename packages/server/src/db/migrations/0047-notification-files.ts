import type { Kysely } from 'kysely'

/** Names of the files that notifications tell about. Of those before, nobody kept which it was. */
export async function addNotificationFiles(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('notifications').addColumn('file', 'text').execute()
}
