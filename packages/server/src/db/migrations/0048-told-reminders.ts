import { sql, type Kysely } from 'kysely'

interface Before {
  reminder_marks: {
    days: number
    reached: number
    skipped_from: number | null
    skipped_until: number | null
  }
}

/** What was told, proof by proof, and all that each day-mark has passed over: a clock may run ahead more than once. */
export async function addToldReminders(db: Kysely<Before>): Promise<void> {
  await db.schema
    .createTable('told_reminders')
    .addColumn('proof_id', 'bigint', (column) => column.notNull().references('proofs.id').onDelete('cascade'))
    .addColumn('days', 'integer', (column) => column.notNull())
    .addColumn('expire_time', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('told_reminders_key', ['proof_id', 'days', 'expire_time'])
    .execute()
  // Up to its place each mark has told of all, but for what it has passed over and a clock that ran ahead had not told of.
  await sql`insert into told_reminders (proof_id, days, expire_time)
    select p.id, m.days, p.current_expire_time from reminder_marks as m
    join proofs as p on p.current_expire_time > coalesce(m.skipped_until, 0) and p.current_expire_time <= m.reached
      or p.id <= m.ahead_id and p.current_expire_time > m.ahead_from and p.current_expire_time <= m.ahead_until
    where p.state = 'published'`.execute(db)

  await db.schema
    .alterTable('reminder_marks')
    .addColumn('passed_over', 'text', (column) => column.notNull().defaultTo('[]'))
    .execute()
  const marks = await db.selectFrom('reminder_marks').select(['days', 'skipped_from', 'skipped_until']).execute()
  for (const { days, skipped_from, skipped_until } of marks)
    if (skipped_from !== null && skipped_until !== null && skipped_from < skipped_until) {
      const passedOver = JSON.stringify([[skipped_from, skipped_until]])
      await sql`update reminder_marks set passed_over = ${passedOver} where days = ${days}`.execute(db)
    }
  for (const column of ['skipped_from', 'skipped_until', 'ahead_from', 'ahead_until', 'ahead_id'])
    await db.schema.alterTable('reminder_marks').dropColumn(column).execute()
}
