import { sql } from 'kysely'
import type { OpenDatabase } from './open.ts'

/** The database's own clock, milliseconds since 1970 UTC; undefined where it runs by this process's. */
export async function readClock({ db, engine }: Pick<OpenDatabase, 'db' | 'engine'>): Promise<number | undefined> {
  if (engine === 'sqlite') return undefined
  const { rows } = await sql<{
    now: number
  }>`select extract(epoch from clock_timestamp())::float8 * 1000 as now`.execute(db)
  return rows[0]?.now
}
