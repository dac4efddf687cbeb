import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { Row } from './row.ts'
import type { TableWriter } from './table-writer.ts'

/** One transaction, and no waiting for the disk before its end: a filling that breaks off is begun anew. */
export function openSqliteWriter(path: string): TableWriter {
  const db = new DatabaseSync(path)
  // Who refers to whom is checked once at the end. In KiB where negative: half a gigabyte keeps the indexes in memory.
  db.exec('pragma synchronous = off; pragma foreign_keys = off; pragma cache_size = -524288; begin immediate')
  const statements = new Map<string, StatementSync>()
  return {
    read: async (sql) => db.prepare(sql).all() as Row[],
    insert: async (table, columns, rows) => {
      const sql = `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`
      let statement = statements.get(sql)
      if (!statement) statements.set(sql, (statement = db.prepare(sql)))
      for (const row of rows) statement.run(...row)
    },
    run: async (sql) => db.exec(sql),
    finish: async () => {
      const [dangling] = db.prepare('pragma foreign_key_check').all()
      if (dangling) throw new Error(`a row refers to one that is not there: ${JSON.stringify(dangling)}`)
      db.exec('commit; pragma wal_checkpoint(truncate)')
    },
    close: async () => db.close(),
  }
}
