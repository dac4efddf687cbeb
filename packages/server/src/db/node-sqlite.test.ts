import assert from 'node:assert/strict'
import { constants, DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { toKyselyDatabase } from './node-sqlite.ts'

test('a page is planned once, however often it is read', (t) => {
  const db = new DatabaseSync(':memory:')
  t.after(() => db.close())
  db.exec('create table rows (id integer primary key)')
  db.prepare('insert into rows select value from json_each(?)').run('[1, 2, 3, 4]')
  let planned = 0
  db.setAuthorizer(() => {
    planned += 1
    return constants.SQLITE_OK
  })
  const kysely = toKyselyDatabase(db)
  const read = (...page: number[]) =>
    kysely.prepare('select id from rows order by id limit ? offset ?').all(page).length
  assert.equal(read(2, 0), 2)
  const first = planned
  assert.ok(first > 0)
  assert.deepEqual([read(3, 1), read(3, 2), read(0, 0)], [3, 2, 0])
  assert.equal(planned, first)
})

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
