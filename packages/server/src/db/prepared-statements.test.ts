import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { hasRealPostgres, makeRealDatabase } from '../testing/real-postgres.ts'
import { openPostgres, type OpenDatabase } from './open.ts'
import { MOST_PREPARED, openStatementNames } from './prepared-statements.ts'

test('12.9 a statement that is sent again is prepared, up to a number of them', () => {
  const name = openStatementNames()
  assert.equal(name('select 1'), undefined)
  const first = name('select 1')
  assert.match(String(first), /^s\d+$/)
  assert.equal(name('select 1'), first)
  const names = Array.from({ length: 2 * MOST_PREPARED }, (_, number) => {
    name(`select ${number} as x`)
    return name(`select ${number} as x`)
  })
  assert.equal(new Set([first, ...names].filter((one) => one !== undefined)).size, MOST_PREPARED)
})

test(
  '12.9 on PostgreSQL a statement that is sent again is prepared once for each connection, also after it has failed, and long reads never',
  { skip: !hasRealPostgres && 'PostgreSQL is not installed' },
  async (t) => {
    const real = await makeRealDatabase('migrated')
    const database = openPostgres(real.url, { maxConnections: 1 })
    t.after(async () => {
      await database.close()
      await real.drop()
    })
    const listPrepared = async (of: OpenDatabase['db']) => {
      const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(of)
      return rows.map(({ statement }) => statement).filter((text) => text.includes('/ 12'))
    }
    const divide = (of: OpenDatabase['db'], by: number) => sql`select ${by}::int / 12 / ${by}::int as x`.execute(of)
    for (let turn = 0; turn < 10; turn += 1)
      if (turn % 3 === 1) await assert.rejects(divide(database.db, 0), /division by zero/)
      else assert.deepEqual((await divide(database.db, 24)).rows, [{ x: 0 }])
    assert.equal((await listPrepared(database.db)).length, 1)
    for (let turn = 0; turn < 3; turn += 1) await divide(database.longReads, 24)
    assert.deepEqual(await listPrepared(database.longReads), [])

    // In a transaction that fails, and on the connection that takes the place of one that was cut.
    await assert.rejects(
      database.db.transaction().execute(async (transaction) => {
        await divide(transaction, 0)
      }),
      /division by zero/,
    )
    await real.cutConnections()
    await divide(database.db, 24).catch(() => {})
    assert.deepEqual((await divide(database.db, 24)).rows, [{ x: 0 }])
    assert.equal((await listPrepared(database.db)).length, 1)
  },
)
