import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { SqliteDatabase } from 'kysely'

/** Preparing costs as much as a small query, and the product's query shapes are few. */
const STATEMENTS_KEPT = 300

/** Shows `node:sqlite` to Kysely's SqliteDialect, which expects the better-sqlite3 shape. */
export function toKyselyDatabase(db: DatabaseSync): SqliteDatabase {
  const kept = new Map<string, StatementSync>()

  function prepare(sql: string): StatementSync {
    const found = kept.get(sql)
    if (found) return found
    const statement = db.prepare(sql)
    kept.set(sql, statement)
    const [oldest] = kept.keys()
    if (kept.size > STATEMENTS_KEPT && oldest !== undefined) kept.delete(oldest)
    return statement
  }

  return {
    close: () => db.close(),
    prepare: (sql) => {
      // Takes the write lock at once: a transaction that reads first could not be told to wait for another process.
      const statement = prepare(sql === 'begin' ? 'begin immediate' : sql)
      const values = (parameters: readonly unknown[]) => parameters as readonly SQLInputValue[]
      return {
        reader: statement.columns().length > 0,
        all: (parameters) => statement.all(...values(parameters)),
        run: (parameters) => statement.run(...values(parameters)),
        iterate: (parameters) => statement.iterate(...values(parameters)) as IterableIterator<unknown>,
      }
    },
  }
}
