import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeScans, type Excuse } from './excuses.ts'
import { findScans } from './scans.ts'
import { normaliseSql } from '../../db/normalise-sql.ts'
import { toKey, type Statement } from './statements.ts'

const LIST = 'select c.id from collections as c order by c.created_at desc limit ? offset ?'
const SEARCH = 'select c.id from collections as c where c.title_key like ? order by c.created_at desc limit ?'
const COUNT = 'select count(*) from collections as c where c.is_locked = ?'
const NO_PARTS = new Set<string>()

test('a table read from one end to the other is a scan on SQLite; a page along an index, or of what waits, is none', () => {
  const scans = (statement: string, plan: string[], parts = NO_PARTS) => findScans('sqlite', statement, plan, parts)
  assert.deepEqual(scans(COUNT, ['SCAN c']), ['collections'])
  assert.deepEqual(scans(COUNT, ['SCAN c USING COVERING INDEX collections_newest']), ['collections'])
  assert.deepEqual(scans(COUNT, ['SCAN c USING INDEX collections_queue'], new Set(['collections_queue'])), [])
  assert.deepEqual(scans(COUNT, ['SEARCH c USING INDEX collections_by_lock (is_locked=?)']), [])
  assert.deepEqual(scans(LIST, ['SCAN c USING INDEX collections_newest']), [])
  assert.deepEqual(scans(LIST, ['SCAN c', 'USE TEMP B-TREE FOR ORDER BY']), ['collections'])
  assert.deepEqual(scans(SEARCH, ['SCAN c USING INDEX collections_newest']), ['collections'])
  assert.deepEqual(scans('select * from instance', ['SCAN instance']), [])
  const match = 'select rowid from user_grams where user_grams match ?'
  assert.deepEqual(scans(match, ['SCAN user_grams VIRTUAL TABLE INDEX 192:M1']), [])
  assert.deepEqual(scans('select rowid from user_grams', ['SCAN user_grams VIRTUAL TABLE INDEX 0:']), ['user_grams'])
  assert.deepEqual(scans('with few as materialized (select 1) select * from few as kept', ['SCAN kept']), [])
  // The rows of a page are put in order once more when they are joined; that is no sort of all.
  const page = ['CO-ROUTINE page', '  SCAN c USING INDEX collections_newest']
  const joined = ['SCAN page', 'SEARCH u USING INTEGER PRIMARY KEY (rowid=?)', 'USE TEMP B-TREE FOR ORDER BY']
  assert.deepEqual(scans(LIST, [...page, ...joined]), [])
  assert.deepEqual(scans(LIST, [...page, '  USE TEMP B-TREE FOR ORDER BY', ...joined]), ['collections'])
})

test('a table read from one end to the other is a scan on PostgreSQL; a page along an index, or of what waits, is none', () => {
  const scans = (statement: string, plan: string[], parts = NO_PARTS) => findScans('postgres', statement, plan, parts)
  const walk = '->  Index Scan Backward using collections_newest on collections c'
  assert.deepEqual(scans(COUNT, ['Aggregate', '  ->  Seq Scan on collections c']), ['collections'])
  assert.deepEqual(scans(COUNT, ['Aggregate', `  ${walk}`]), ['collections'])
  assert.deepEqual(scans(COUNT, ['Aggregate', `  ${walk}`, '        Index Cond: (is_locked = 1)']), [])
  assert.deepEqual(scans(COUNT, ['Aggregate', `  ${walk}`], new Set(['collections_newest'])), [])
  assert.deepEqual(scans(LIST, ['Limit', `  ${walk}`]), [])
  assert.deepEqual(scans(LIST, ['Limit', '  ->  Sort', '        Sort Key: x', `        ${walk}`]), ['collections'])
  assert.deepEqual(scans(SEARCH, ['Limit', `  ${walk}`, "        Filter: (title_key ~~ '%x%'::text)"]), ['collections'])
})

test('a scan is refused without a reason beside its query, and so is a reason that nothing needs any more', () => {
  const statement: Statement = { file: 'x/queries.ts', sender: 'countAll', sql: COUNT, engines: ['sqlite'] }
  const excuse: Excuse = { file: 'x/queries.ts', sender: 'countAll', only: undefined, reason: 'few' }
  const scans = new Map([[toKey(statement), ['collections']]])
  assert.match(judgeScans([statement], scans, [])[0] ?? '', /countAll of x\/queries.ts scans collections/)
  assert.deepEqual(judgeScans([statement], scans, [excuse]), [])
  const other: Excuse = { ...excuse, only: { has: true, words: 'like' } }
  assert.equal(judgeScans([statement], scans, [other]).length, 2)
  assert.match(judgeScans([statement], new Map(), [excuse])[0] ?? '', /need not say any more/)
})

test('lists of values of any length are one statement, also where each value is cast', () => {
  assert.equal(normaliseSql('insert into "a" values ($1, $2), ($3, $4)'), 'insert into a values (?, ?), …')
  assert.equal(
    normaliseSql('values (cast($1 as bigint), $2), (cast($3 as bigint), $4)'),
    'values (cast(? as bigint), ?), …',
  )
})
