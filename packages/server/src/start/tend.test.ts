import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { doEach } from '../do-each.ts'
import { ENGINES, startTestServer } from '../testing.ts'
import { tendOnce } from './tend.ts'

test('what fails keeps nothing after it from its turn, and is told at the end', async () => {
  const done: number[] = []
  const fail = (error: Error) => async () => {
    throw error
  }
  const mark = (n: number) => async () => void done.push(n)
  const first = new RangeError('first')
  await doEach([mark(1), mark(2)])
  await assert.rejects(doEach([fail(first), mark(3), mark(4)]), first)
  await assert.rejects(doEach([mark(5), fail(first), fail(new TypeError('second')), mark(6)]), {
    message: 'several failed: RangeError, TypeError',
    cause: first,
  })
  assert.deepEqual(done, [1, 2, 3, 4, 5, 6])
})

for (const engine of ENGINES) {
  test(`counts are folded and things cleared away also while a feature fails (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { db } = server.deps
    const { id: actor_id } = await server.createUser({ username: 'sam' })
    for (let n = 0; n < 30; n++)
      await db
        .updateTable('users')
        .set({ is_staff: n % 2 === 0 ? 1 : 0 })
        .execute()
    const countRows = async () => {
      const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table('user_counts')}`.execute(db)
      return Number(rows[0]?.n)
    }
    for (const table of ['reminder_marks', 'email_changes'])
      await sql`alter table ${sql.table(table)} rename to ${sql.table(`${table}_away`)}`.execute(db)
    await assert.rejects(tendOnce(server.deps), /reminder_marks/)
    assert.ok((await countRows()) <= 2)

    await db.insertInto('audit_views').values({ actor_id, action: 'ticket_viewed', object_id: 1, seen_at: 1 }).execute()
    await assert.rejects(server.sweep(), /email_changes/)
    assert.deepEqual(await db.selectFrom('audit_views').selectAll().execute(), [])
    for (const table of ['reminder_marks', 'email_changes'])
      await sql`alter table ${sql.table(`${table}_away`)} rename to ${sql.table(table)}`.execute(db)
  })
}
