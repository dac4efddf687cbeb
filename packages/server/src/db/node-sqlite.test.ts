import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { toKyselyDatabase } from './node-sqlite.ts'

test('a statement that is in use stays prepared, however many others come and go', (t) => {
  const db = new DatabaseSync(':memory:')
  t.after(() => db.close())
  const prepared: string[] = []
  const prepare = db.prepare.bind(db)
  db.prepare = (sql: string) => {
    prepared.push(sql)
    return prepare(sql)
  }
  const kysely = toKyselyDatabase(db)
  const hot = 'select 1 as one'
  for (let length = 1; length <= 1000; length += 1) {
    assert.deepEqual(
      kysely
        .prepare(hot)
        .all([])
        .map((row) => ({ ...(row as object) })),
      [{ one: 1 }],
    )
    kysely.prepare(`select 1 where 0 in (${Array.from({ length }, () => '?').join(', ')})`)
  }
  assert.equal(prepared.filter((sql) => sql === hot).length, 1)
})
