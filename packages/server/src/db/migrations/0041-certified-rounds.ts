import { sql, type Kysely } from 'kysely'

/** One walk of every kind is written down in one table, which knows its last whole round while the next is under way. */
export async function addCertifiedRounds(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into stored_rounds (kind, began_at, reached_id, is_under_way, ended_at)
    select 'certified', began_at, reached_id, case when ended_at is null then 1 else 0 end, ended_at
    from file_rounds order by began_at desc limit 1`.execute(db)
  await db.schema.dropTable('file_rounds').execute()
}
