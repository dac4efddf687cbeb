import { sql, type Kysely } from 'kysely'
import type { Engine } from '../open.ts'

/**
 * What limits count, where several processes count together. Not logged: what a crash of the database forgets is what a
 * single process forgets when it is started again, and no attempt waits for a disk.
 */
export async function addSharedLimits(db: Kysely<unknown>, engine: Engine): Promise<void> {
  if (engine === 'sqlite') return
  await sql`create unlogged table limit_counts (
    key text primary key,
    failures bigint not null,
    in_flight bigint not null,
    taken_at bigint not null,
    ends_at bigint not null,
    looks_again_at bigint not null
  ) with (fillfactor = 50)`.execute(db)
}
