import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES, startTestServer, type TestServer } from '../testing.ts'
import { must, plantCollection } from '../testing/collections.ts'
import { waitUntil } from '../testing/wait-until.ts'
import { checkCounts, mendCounts } from './check-counts.ts'
import { foldAllCounts } from './keep-counts.ts'

/** Somebody changes a count by hand, once the server has compared them at its start. */
async function forge({ deps, logLines }: TestServer, is_staff: 0 | 1 = 1): Promise<void> {
  await waitUntil(() => logLines.some((line) => line.includes('"counts compared"')))
  await deps.db.insertInto('user_counts').values({ is_admin: 1, is_staff, amount: 7 }).execute()
}

const countUsers = async (server: TestServer) =>
  must(await (await server.signIn('sue')).get('/admin/users/?is_admin=true'), 200).count

for (const engine of ENGINES) {
  test(`12.8 a wrong count is found, and mended once by however many find it (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { deps } = server
    await server.signIn('sue', { is_superuser: true })
    assert.deepEqual((await checkCounts(deps)).wrong, [])
    await forge(server)
    assert.equal(await countUsers(server), 7)
    // As of few rows, and as of many beside people.
    const found = [await checkCounts(deps), await checkCounts(deps, { isBeside: true, fewRows: 0 })] as const
    for (const { wrong } of found) assert.deepEqual(wrong, [{ table: 'users', state: [1, 1], counted: 7, there: 0 }])
    const mended = await Promise.all(found.map((checked) => mendCounts(deps, checked)))
    assert.deepEqual(new Set(mended), new Set([true, false]))
    assert.deepEqual((await checkCounts(deps)).wrong, [])
    assert.equal(await countUsers(server), 0)

    // What happens between finding and mending is not lost.
    await forge(server, 0)
    const again = await checkCounts(deps)
    await server.createUser({ username: 'max', is_admin: true, is_staff: true })
    assert.equal(await mendCounts(deps, again), true)
    assert.equal(await countUsers(server), 1)
    assert.deepEqual((await checkCounts(deps)).wrong, [])
  })

  test(`12.8 the counts are compared at each start, and mended with one line in the log (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    await server.signIn('sue', { is_superuser: true })
    await forge(server)
    const told = () => server.logLines.filter((line) => line.includes('"counts were wrong"'))
    await server.restart()
    await waitUntil(() => told().length > 0)
    assert.equal(await countUsers(server), 0)
    const { level, states, tables, mended_here } = JSON.parse(told()[0] ?? '')
    assert.deepEqual([level, states, tables, mended_here], ['warn', 1, 'users', true])
    await server.restart()
    assert.deepEqual((await checkCounts(server.deps)).wrong, [])
    assert.equal(told().length, 1)
  })

  test(`12.8 what is written while the counts are compared makes none look wrong (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const owner = await server.createUser({ username: 'ada' })
    const writing = (async () => {
      for (let n = 0; n < 60; n++) {
        const { id } = await plantCollection(server, owner, n % 2 ? 'opened' : 'approved')
        if (n % 3 === 0) await server.deps.db.deleteFrom('collections').where('id', '=', id).execute()
      }
    })()
    for (let n = 0; n < 20; n++) assert.deepEqual((await checkCounts(server.deps)).wrong, [])
    assert.deepEqual((await checkCounts(server.deps, { isBeside: true, fewRows: 0 })).wrong, [])
    await writing
  })

  test(`12.7 what is rolled back was never counted (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { db } = server.deps
    const owner = await server.createUser({ username: 'ada' })
    const { id } = await plantCollection(server, owner, 'approved')
    const before = await db.selectFrom('collection_counts').selectAll().execute()
    const failing = db.transaction().execute(async (transaction) => {
      await transaction.updateTable('collections').set({ is_locked: 0, proofid: null }).where('id', '=', id).execute()
      await transaction.deleteFrom('collections').where('id', '=', id).execute()
      await transaction.updateTable('users').set({ is_staff: 1 }).execute()
      throw new Error('no more')
    })
    await assert.rejects(failing, /no more/)
    assert.deepEqual(await db.selectFrom('collection_counts').selectAll().execute(), before)
    assert.deepEqual((await checkCounts(server.deps)).wrong, [])
  })

  // The others have one writer.
  if (engine === 'postgres')
    test(`12.7 transactions that change rows of the same state do not wait for each other (${engine})`, async (t) => {
      const server = await startTestServer(t, engine)
      const { db } = server.deps
      const owner = await server.createUser({ username: 'ada' })
      const [a, b] = [await plantCollection(server, owner, 'opened'), await plantCollection(server, owner, 'opened')]
      const lock = (by: typeof db, { id }: { id: number }) =>
        by.updateTable('collections').set({ is_locked: 1 }).where('id', '=', id).execute()
      // The inner one ends while the outer one has changed the same counts and is still open.
      await db.transaction().execute(async (outer) => {
        await lock(outer, a)
        await db.transaction().execute((inner) => lock(inner, b))
        await foldAllCounts(server.deps)
        assert.deepEqual((await checkCounts(server.deps)).wrong, [])
      })
      assert.deepEqual((await checkCounts(server.deps)).wrong, [])
    })

  test(`12.7 the rows of the counts stay few, also when several fold them while others write (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { db } = server.deps
    const owner = await server.createUser({ username: 'ada' })
    const plantTicket = () =>
      db
        .insertInto('tickets')
        .values({
          title: 'Lost',
          title_key: 'lost',
          owner_id: owner.id,
          email: null,
          email_key: null,
          visitor_id: null,
          status: 'OPEN',
          is_locked: 0,
          admin_id: null,
          created_at: 0,
        })
        .execute()
    const setStaff = (is_staff: 0 | 1) => db.updateTable('users').set({ is_staff }).where('id', '=', owner.id).execute()
    const writeOne = () => Promise.all([plantCollection(server, owner, 'approved'), plantTicket()])
    const write = async () => {
      const writing = Array.from({ length: 20 }, writeOne)
      // Each change is two rows: a state lost, and one gained.
      for (let n = 0; n < 10; n++) await setStaff(n % 2 === 0 ? 1 : 0)
      await Promise.all(writing)
    }
    for (let round = 0; round < 3; round++)
      await Promise.all([write(), write(), foldAllCounts(server.deps), foldAllCounts(server.deps)])
    // More than are left as they are, of each table.
    for (let round = 0; round < 3; round++) await write()
    await foldAllCounts(server.deps)
    assert.deepEqual((await checkCounts(server.deps)).wrong, [])
    for (const table of ['collection_counts', 'proof_counts', 'ticket_counts', 'user_counts'] as const)
      assert.ok((await db.selectFrom(table).select('amount').execute()).length <= 50, table)
  })
}
