import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { SqliteDatabase } from 'kysely'
import type { DiskReserve } from './disk-reserve.ts'
import { keepStatements } from './kept-statements.ts'
import { isSqliteOutage, sayOutage } from './outage.ts'

/** SQLITE_FULL, https://www.sqlite.org/rescode.html */
const DISK_FULL = 13

/**
 * Shows `node:sqlite` to Kysely's SqliteDialect, which expects the better-sqlite3 shape.
 * @param reserve Room on its disk for when that is full; absent on a connection that only reads.
 */
export function toKyselyDatabase(db: DatabaseSync, reserve?: DiskReserve): SqliteDatabase {
  // Whether it gives rows is asked once: each time SQLite would tell the name and origin of every column.
  const prepare = keepStatements(db, (statement) => ({ statement, reader: statement.columns().length > 0 }))

  /** A statement of its own is tried once more with the room held back; a transaction is not ours to repeat. */
  function attempt<T>(work: () => T): T {
    const isAlone = !db.isTransaction
    try {
      return work()
    } catch (error) {
      if (!isSqliteOutage(error)) throw error
      const isFull = (error as { errcode?: unknown }).errcode === DISK_FULL
      if (!isFull || !reserve?.giveWay() || !isAlone) throw sayOutage(error)
    }
    return attempt(work)
  }

  return {
    close: () => db.close(),
    prepare: (sql) => {
      // A full disk ends a transaction by itself; what the caller must read is why.
      if (sql === 'rollback' && !db.isTransaction) return NOTHING_TO_DO
      if (sql === 'begin') reserve?.adjust()
      // Takes the write lock at once: a transaction that reads first could not be told to wait for another process.
      const { statement, reader } = attempt(() => prepare(sql === 'begin' ? 'begin immediate' : sql))
      const values = (parameters: readonly unknown[]) => parameters as readonly SQLInputValue[]
      return {
        reader,
        all: (parameters) => attempt(() => statement.all(...values(parameters))),
        run: (parameters) => attempt(() => statement.run(...values(parameters))),
        iterate: (parameters) => statement.iterate(...values(parameters)) as IterableIterator<unknown>,
      }
    },
  }
}

const NOTHING_TO_DO: ReturnType<SqliteDatabase['prepare']> = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  iterate: () => [].values(),
}
