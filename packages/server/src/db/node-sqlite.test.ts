import assert from 'node:assert/strict'
import { constants, DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { toKyselyDatabase } from './node-sqlite.ts'

/** Counts what SQLite asks for while it plans: not at all for a statement that it has planned before. */
function countPlanning(db: DatabaseSync): () => number {
  let planned = 0
  db.setAuthorizer(() => {
    planned += 1
    return constants.SQLITE_OK
  })
  return () => planned
}

test('a page is planned once, however often it is read', (t) => {
  const db = new DatabaseSync(':memory:')
  t.after(() => db.close())
  db.exec('create table rows (id integer primary key)')
  db.prepare('insert into rows select value from json_each(?)').run('[1, 2, 3, 4]')
  const planned = countPlanning(db)
  const kysely = toKyselyDatabase(db)
  const read = (...page: number[]) =>
    kysely.prepare('select id from rows order by id limit ? offset ?').all(page).length
  assert.equal(read(2, 0), 2)
  const first = planned()
  assert.ok(first > 0)
  assert.deepEqual([read(3, 1), read(3, 2), read(0, 0)], [3, 2, 0])
  assert.equal(planned(), first)
})

test('a search among one’s own is planned once, whatever is looked for', (t) => {
  const db = new DatabaseSync(':memory:')
  t.after(() => db.close())
  db.exec(
    'create table rows (id integer primary key, owner integer, title text); create index of_owner on rows (owner)',
  )
  db.exec("insert into rows (owner, title) values (1, 'deed'), (1, '50% off'), (2, 'deed')")
  const planned = countPlanning(db)
  const kysely = toKyselyDatabase(db)
  const find = (owner: number, ...patterns: string[]) =>
    kysely
      .prepare("select id from rows where owner = ? and (title like ? escape '!' or replace(title, '-', '') like ?)")
      .all([owner, ...patterns])
      .map((row) => (row as { id: number }).id)
  assert.deepEqual(find(1, '%ee%', 'x'), [1])
  const first = planned()
  assert.deepEqual([find(1, '%0!%%', 'x'), find(2, 'x', '%d'), find(1, '%', '%')], [[2], [3], [1, 2]])
  assert.equal(planned(), first)
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
