import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { ROWS_AT_ONCE, SIZE_AT_ONCE, type ReadSide, type WriteSide } from './database-sides.ts'
import type { Row, Value } from './row-digest.ts'
import { CopyFailure, LEFT_OUT, sortByNeeds, type Kind } from './table-shapes.ts'

const KINDS: Record<string, Kind> = { integer: 'number', bigint: 'number', text: 'text', blob: 'bytes' }

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`

/** A database file. Whoever opened it began the transaction that decides the moment. */
export function readSqliteSide(db: DatabaseSync): ReadSide {
  const list = (text: string, ...values: SQLInputValue[]) => db.prepare(text).all(...values)
  return {
    steps: async () => list('select name from kysely_migration order by name').map(({ name }) => String(name)),
    shapes: async () =>
      sortByNeeds(
        // Not what belongs to a virtual table, nor SQLite's own.
        list("select name from pragma_table_list where schema = 'main' and type = 'table'")
          .map(({ name }) => String(name))
          .filter((name) => !LEFT_OUT.has(name) && !name.startsWith('sqlite_'))
          .map((name) => ({
            name,
            columns: list('select name, lower(type) as type from pragma_table_info(?) order by name', name).map(
              (column) => ({ name: String(column['name']), kind: kindOf(name, column) }),
            ),
            needs: list('select distinct "table" as needed from pragma_foreign_key_list(?)', name).map(({ needed }) =>
              String(needed),
            ),
          })),
      ),
    async *rows({ name, columns }) {
      const statement = db.prepare(
        `select ${columns.map((column) => quote(column.name)).join(', ')} from ${quote(name)}`,
      )
      statement.setReturnArrays(true)
      let [batch, size]: [Row[], number] = [[], 0]
      for (const found of statement.iterate()) {
        const row = found as unknown as Row
        columns.forEach((column, at) => mustBe(column.kind, row[at] ?? null, `${name}.${column.name}`))
        batch.push(row)
        size += sizeOf(row)
        if (batch.length < ROWS_AT_ONCE && size < SIZE_AT_ONCE) continue
        yield batch
        ;[batch, size] = [[], 0]
      }
      if (batch.length > 0) yield batch
    },
    lastIds: async () =>
      new Map(list('select name, seq from sqlite_sequence').map(({ name, seq }) => [String(name), Number(seq)])),
  }
}

function kindOf(table: string, { name, type }: Record<string, unknown>): Kind {
  const kind = KINDS[String(type)]
  if (!kind) throw new CopyFailure(`${table}.${String(name)} is of a type that is not known: ${String(type)}`)
  return kind
}

/** SQLite takes anything into any column. */
function mustBe(kind: Kind, value: Value, place: string): void {
  if (value === null) return
  const isRight =
    kind === 'number'
      ? Number.isSafeInteger(value)
      : kind === 'text'
        ? typeof value === 'string' && !value.includes('\0')
        : value instanceof Uint8Array
  if (!isRight) throw new CopyFailure(`${place} holds something that is no ${kind}`)
}

export function sizeOf(row: Row): number {
  let size = 0
  for (const value of row) size += value === null || typeof value === 'number' ? 8 : value.length
  return size
}

/**
 * Fills a database file that nobody else has open, and in which the schema was made.
 * @param fill Everything that is written; when it fails, nothing was.
 */
export async function fillSqlite<T>(db: DatabaseSync, fill: (side: WriteSide) => Promise<T>): Promise<T> {
  // Rows that point at each other are looked at in the end.
  db.exec('pragma foreign_keys = off; begin immediate')
  try {
    const guards = db
      .prepare("select name, sql from sqlite_schema where type = 'trigger'")
      .all()
      .filter(({ sql }) => /^create trigger \S+ before /i.test(String(sql)))
    for (const { name } of guards) db.exec(`drop trigger ${quote(String(name))}`)
    const reading = readSqliteSide(db)
    for (const { name } of (await reading.shapes()).toReversed()) db.exec(`delete from ${quote(name)}`)
    const filled = await fill({ ...reading, ...writeSqlite(db) })
    for (const { sql } of guards) db.exec(String(sql))
    if (db.prepare('pragma foreign_key_check').get()) throw new CopyFailure('rows point at others that are not there')
    db.exec('commit')
    return filled
  } finally {
    if (db.isTransaction) db.exec('rollback')
  }
}

function writeSqlite(db: DatabaseSync): Pick<WriteSide, 'write' | 'setLastId' | 'setFact'> {
  return {
    write: async ({ name, columns }, rows) => {
      const names = columns.map((column) => quote(column.name)).join(', ')
      const statement = db.prepare(
        `insert into ${quote(name)} (${names}) values (${columns.map(() => '?').join(', ')})`,
      )
      for (const row of rows) statement.run(...row)
    },
    setLastId: async (table, id) => {
      const { changes } = db.prepare('update sqlite_sequence set seq = max(seq, ?) where name = ?').run(id, table)
      if (changes === 0) db.prepare('insert into sqlite_sequence (name, seq) values (?, ?)').run(table, id)
    },
    setFact: async (name, value) => {
      db.prepare('delete from instance where name = ?').run(name)
      if (value !== null) db.prepare('insert into instance (name, value) values (?, ?)').run(name, value)
    },
  }
}
