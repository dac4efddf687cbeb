import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { openLogger } from '../logger.ts'
import { ENGINES, startTestServer, type TestServer } from '../testing.ts'
import { plantCollection } from '../testing/collections.ts'
import { checkCounts, mendCounts, type WrongCount } from './check-counts.ts'
import { checkCountsAtStart, foldAllCounts } from './keep-counts.ts'
import { countSlice, findHighestId, findMended, foldCounts, listCounts } from './queries.ts'

const OPEN_TICKET = {
  title: 'Lost',
  title_key: 'lost',
  owner_id: null,
  email: 'ada@example.org',
  email_key: 'ada@example.org',
  visitor_id: null,
  status: 'OPEN',
  is_locked: 0,
  admin_id: null,
  created_at: 0,
} as const

/** Of a state that no ticket is in. */
async function plantTicketCounts({ deps: { db } }: TestServer, amount: number, rows: number): Promise<void> {
  const one = { is_locked: 1, status: 'IN_PROGRESS', amount } as const
  for (let left = rows; left > 0; left -= 1000)
    await db
      .insertInto('ticket_counts')
      .values(Array.from({ length: Math.min(left, 1000) }, () => one))
      .execute()
}

for (const engine of ENGINES) {
  test(`12.8 more rows than are looked at at once are counted, each once (${engine})`, async (t) => {
    const { deps } = await startTestServer(t, engine)
    for (let n = 0; n < 2; n += 1)
      await deps.db
        .insertInto('tickets')
        .values(Array.from({ length: 550 }, () => OPEN_TICKET))
        .execute()
    assert.deepEqual((await checkCounts(deps)).wrong, [])
    await deps.db
      .updateTable('ticket_counts')
      .set(({ eb }) => ({ amount: eb('amount', '+', 1) }))
      .where('status', '=', 'OPEN')
      .execute()
    const [wrong] = (await checkCounts(deps)).wrong
    assert.equal(wrong?.there, 1100)
    assert.ok(wrong.counted > 1100)
  })

  test(`12.8 rows are counted in the order of their ids, whenever they were written to (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { db } = server.deps
    const owner = await server.createUser({ username: 'ada' })
    const ids: number[] = []
    for (let n = 0; n < 4; n += 1) ids.push((await plantCollection(server, owner, 'opened')).id)
    await db.updateTable('collections').set({ title: 'Changed' }).where('id', '=', ids[0]!).execute()
    const seen: number[] = []
    for (let last = 0; ;) {
      const slice = await countSlice(db, 'collections', last, 1)
      if (!slice) break
      seen.push((last = slice.last))
    }
    assert.deepEqual(seen, ids)
    assert.equal((await countSlice(db, 'collections', 0, 3))?.last, ids[2])
    assert.equal(await findHighestId(db), ids[3])
  })

  test(`12.8 counts are mended wholly or not at all, each time by one (${engine})`, async (t) => {
    const { deps } = await startTestServer(t, engine)
    const forge = () => deps.db.insertInto('ticket_counts').values({ is_locked: 1, status: 'IN_PROGRESS', amount: 7 })
    await forge().execute()
    const checked = await checkCounts(deps)
    const broken: WrongCount = { table: 'users', state: [1, null as unknown as number], counted: 0, there: 1 }
    await assert.rejects(mendCounts(deps, { ...checked, wrong: [...checked.wrong, broken] }))
    assert.equal(await findMended(deps.db), checked.mended)
    assert.deepEqual((await checkCounts(deps)).wrong, checked.wrong)
    assert.equal(await mendCounts(deps, checked), true)

    // And once more.
    await deps.db.deleteFrom('ticket_counts').where('status', '=', 'IN_PROGRESS').execute()
    await forge().execute()
    const again = await checkCounts(deps)
    assert.equal(again.wrong.length, 1)
    assert.deepEqual([await mendCounts(deps, again), await mendCounts(deps, again)], [true, false])
    assert.deepEqual((await checkCounts(deps)).wrong, [])
  })

  test(`12.8 a server that ends meanwhile ends the comparing, and says nothing of it (${engine})`, async (t) => {
    const { deps } = await startTestServer(t, engine)
    await deps.db.insertInto('tickets').values(OPEN_TICKET).execute()
    await assert.rejects(checkCounts(deps, { signal: AbortSignal.abort() }), { name: 'AbortError' })
    const lines: string[] = []
    const logger = openLogger('debug', (line) => lines.push(line))
    await checkCountsAtStart({ ...deps, logger }, AbortSignal.abort())
    assert.deepEqual(lines, [])
  })

  // The others have a row a state.
  if (engine !== 'postgres') continue

  test(`12.7 rows that were added and rows that were taken away are folded to what is left of them (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { db } = server.deps
    const amounts = async () =>
      (await db.selectFrom('ticket_counts').select('amount').execute()).map((row) => row.amount)
    // The rows that were added may be folded already, or be another process's to fold.
    await plantTicketCounts(server, -1, 60)
    await foldAllCounts(server.deps)
    assert.deepEqual(await amounts(), [-60])
    await plantTicketCounts(server, 1, 60)
    await foldAllCounts(server.deps)
    assert.deepEqual(await amounts(), [])
    // Few cost nothing, and are left as they are.
    await plantTicketCounts(server, 1, 50)
    await foldAllCounts(server.deps)
    assert.equal((await amounts()).length, 50)
  })

  test(`12.7 who folds waits for no other, and folds all there is (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { db } = server.deps
    await plantTicketCounts(server, 1, 100)
    await db.transaction().execute(async (other) => {
      await foldCounts(other, 'tickets')
      const ended = await Promise.race([foldCounts(db, 'tickets').then(() => 'folded'), pause(20_000, 'waited')])
      assert.equal(ended, 'folded')
    })
    assert.deepEqual(await listCounts(db, 'tickets'), [{ state: [1, 'IN_PROGRESS'], amount: 100 }])

    await plantTicketCounts(server, 1, 25_000)
    await foldAllCounts(server.deps)
    const { rows } = await sql<{ amount: number }>`select amount from ticket_counts`.execute(db)
    assert.ok(rows.length <= 3, `${rows.length} rows`)
    assert.deepEqual(await listCounts(db, 'tickets'), [{ state: [1, 'IN_PROGRESS'], amount: 25_100 }])
  })
}
