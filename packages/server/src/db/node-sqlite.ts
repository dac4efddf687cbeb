import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
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
  // Rows come as lists of values: the objects that SQLite's binding makes take twice as long, and as long again to be read.
  const prepare = keepStatements((sql) => {
    const statement = db.prepare(hideValues(sql))
    statement.setReturnArrays(true)
    return { statement, ...readColumns(statement) }
  })

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
      const kept = attempt(() => prepare(sql === 'begin' ? 'begin immediate' : sql))
      const { statement } = kept
      const values = (parameters: readonly unknown[]) => parameters as readonly SQLInputValue[]
      return {
        reader: kept.names.length > 0,
        all: (parameters) => attempt(() => statement.all(...values(parameters))).map((row) => toRow(kept, row)),
        run: (parameters) => attempt(() => statement.run(...values(parameters))),
        iterate: (parameters) => statement.iterate(...values(parameters)).map((row) => toRow(kept, row)),
      }
    },
  }
}

interface KeptStatement {
  statement: StatementSync
  /** Of its columns; asked for once, since SQLite tells the origin of each along with it. Empty where it gives no rows. */
  names: readonly string[]
  /** A row of nulls. Copied and filled in it stays an object that is read fast; of many columns put in one by one V8 makes a dictionary. */
  blank: Record<string, unknown>
}

function readColumns(statement: StatementSync): Pick<KeptStatement, 'names' | 'blank'> {
  const names = statement.columns().map(({ name }) => name)
  return { names, blank: JSON.parse(JSON.stringify(Object.fromEntries(names.map((name) => [name, null])))) }
}

function toRow(kept: KeptStatement, values: unknown): object {
  const list = values as unknown[]
  // A `select *` whose table has been altered since.
  if (list.length !== kept.names.length) Object.assign(kept, readColumns(kept.statement))
  const row = { ...kept.blank }
  for (let at = 0; at < list.length; at += 1) row[kept.names[at]!] = list[at]
  return row
}

/**
 * SQLite takes a bare `limit ?` and `like ?` into account when it plans, and so plans anew each time a value is given for one: that
 * takes longer than reading a page. In a sum it does not look. No pattern begins with what an index could be searched by.
 */
const hideValues = (sql: string): string =>
  sql.replaceAll(' limit ?', ' limit 0 + ?').replaceAll(' like ?', " like '' || ?")

const NOTHING_TO_DO: ReturnType<SqliteDatabase['prepare']> = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  iterate: () => [].values(),
}
