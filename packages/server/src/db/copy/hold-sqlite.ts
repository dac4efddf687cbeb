import { DatabaseSync } from 'node:sqlite'
import type { ReadSide } from './database-sides.ts'
import { readSqliteSide } from './sqlite-side.ts'

/** An SQLite file that nobody writes: who tries, waits for a while and fails. */
export interface HeldSqlite {
  side: ReadSide
  /** Ends it, with one fact more. Returns when that survives a power cut. */
  leaveWith(name: string, value: string): void
  /** Ends it as it was. */
  close(): void
}

/** @throws where somebody writes it for longer than 30 s. */
export function holdSqlite(path: string): HeldSqlite {
  const db = new DatabaseSync(path)
  try {
    db.exec('pragma synchronous = full; pragma busy_timeout = 30000; begin immediate')
  } catch (error) {
    db.close()
    throw error
  }
  return {
    side: readSqliteSide(db),
    leaveWith: (name, value) => {
      db.prepare(
        'insert into instance (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
      ).run(name, value)
      db.exec('commit')
    },
    close: () => {
      if (db.isTransaction) db.exec('rollback')
      db.close()
    },
  }
}
