import type { Kysely } from 'kysely'

/** What day-marks have passed over and what they have told too early, so that a clock that ran ahead is made good. */
export async function addReminderSpans(db: Kysely<unknown>): Promise<void> {
  for (const column of ['skipped_from', 'skipped_until', 'ahead_from', 'ahead_until', 'ahead_id'])
    await db.schema.alterTable('reminder_marks').addColumn(column, 'bigint').execute()
}
