import type { Kysely } from 'kysely'

/** When recovery codes were made: those there are count as older than any change. */
export async function addRecoveryCodeTimes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('recovery_codes')
    .addColumn('made_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
}
