import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql, type KyselyPlugin } from 'kysely'
import { recordEvent } from '../events/record-events.ts'
import { accountEvents } from '../features/account/events.ts'
import { ENGINES, startTestServer, type TestServer } from '../testing.ts'
import { checkChain } from './check-chain.ts'
import { emptyOldLinks } from './empty-old-links.ts'
import { makeLinks } from './make-links.ts'
import { emptyLink } from './queries.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Records some, and puts them into one link. */
async function chain({ deps }: TestServer, entries: number): Promise<void> {
  for (let n = 0; n < entries; n++) await recordEvent(deps, accountEvents.profile_changed(n + 1))
  await makeLinks(deps)
}

function listEntries({ deps }: TestServer) {
  return deps.db.selectFrom('audit_entries').select(['id', 'link_id', 'hash']).orderBy('id').execute()
}

/** As somebody who may do anything with the database, and has switched off what guards the trail. */
async function forge(server: TestServer, statement: string): Promise<void> {
  const { db, engine } = server.deps
  await db.transaction().execute(async (transaction) => {
    if (engine === 'postgres') {
      await sql.raw('alter table audit_entries disable trigger user').execute(transaction)
      await sql.raw('alter table audit_links disable trigger user').execute(transaction)
    } else {
      const { rows } = await sql<{ name: string }>`select name from sqlite_master where type = 'trigger'`.execute(
        transaction,
      )
      for (const { name } of rows) await sql`drop trigger ${sql.id(name)}`.execute(transaction)
    }
    await sql.raw(statement).execute(transaction)
  })
}

for (const engine of ENGINES) {
  test(`10.13 entries are chained after the commit, each once (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    await recordEvent(server.deps, accountEvents.profile_changed(1))
    assert.deepEqual(
      (await listEntries(server)).map(({ link_id }) => link_id),
      [null],
    )
    assert.equal((await checkChain(server.deps.db, server.deps.secrets)).waiting, 1)
    await chain(server, 3)
    await chain(server, 2)
    const { links, entries, waiting, broken } = await checkChain(server.deps.db, server.deps.secrets)
    assert.deepEqual({ links, entries, waiting, broken }, { links: 2, entries: 6, waiting: 0, broken: null })
    // More than go into one link.
    for (let n = 0; n < 101; n++) await recordEvent(server.deps, accountEvents.profile_changed(n + 1))
    await makeLinks(server.deps)
    assert.equal((await checkChain(server.deps.db, server.deps.secrets)).waiting, 0)
    for (const statement of [
      'update audit_entries set link_id = null, hash = null',
      'update audit_entries set link_id = 2',
      "update audit_links set hash = 'x'",
      'update audit_links set emptied_at = 1',
      'delete from audit_links',
    ])
      await assert.rejects(sql.raw(statement).execute(server.deps.db), /only added to/, statement)
  })

  test(`10.13 of several who chain at once each entry gets one place in one chain (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { deps } = server
    const record = async () => {
      for (let n = 0; n < 60; n++) await recordEvent(deps, accountEvents.profile_changed(n + 1))
    }
    const chainAgain = async () => {
      for (let n = 0; n < 20; n++) await makeLinks(deps)
    }
    await Promise.all([record(), record(), chainAgain(), chainAgain(), chainAgain()])
    await makeLinks(deps)
    const { entries, waiting, broken } = await checkChain(deps.db, deps.secrets)
    assert.deepEqual({ entries, waiting, broken }, { entries: 120, waiting: 0, broken: null })
  })

  for (const [what, statement, why, at] of [
    ['changed', 'update audit_entries set actor_id = 99 where id = 5', 'entry_differs', 5],
    ['removed', 'delete from audit_entries where id = 5', 'entry_missing', 6],
    ['removed from the end of a link', 'delete from audit_entries where id = 6', 'entry_missing', 5],
    [
      'inserted',
      'insert into audit_entries (id, at, action, object_kind, details, link_id, hash) select 50, at, action, object_kind, details, link_id, hash from audit_entries where id = 5',
      'entry_differs',
      50,
    ],
  ] as const)
    test(`10.14 an entry that was ${what} is found and named (${engine})`, async (t) => {
      const server = await startTestServer(t, engine)
      for (const size of [3, 3, 3]) await chain(server, size)
      await forge(server, statement)
      const { links, broken } = await checkChain(server.deps.db, server.deps.secrets)
      assert.deepEqual({ links, broken }, { links: 1, broken: { link: 2, entry: at, why } })
    })

  test(`10.14 a link that was taken out, or made by somebody without the key, is found (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { db, secrets } = server.deps
    for (const size of [1, 1, 1]) await chain(server, size)
    const { hash } = await checkChain(db, secrets)
    await forge(server, 'update audit_links set made_at = made_at + 1 where id = 3')
    assert.deepEqual((await checkChain(db, secrets)).broken, { link: 3, entry: null, why: 'link_differs' })
    await forge(server, "update audit_links set mac = 'x' where id = 3")
    assert.equal((await checkChain(db, secrets)).broken?.why, 'link_forged')
    await forge(server, 'delete from audit_entries where link_id = 3')
    await forge(server, 'delete from audit_links where id = 3')
    // The end of a chain that was cut off leaves a whole one: only its hash, noted elsewhere, tells.
    const cut = await checkChain(db, secrets)
    assert.equal(cut.broken, null)
    assert.notEqual(cut.hash, hash)
    await forge(server, 'delete from audit_entries where link_id = 1')
    await forge(server, 'delete from audit_links where id = 1')
    assert.deepEqual((await checkChain(db, secrets)).broken, { link: 2, entry: null, why: 'link_missing' })
  })

  test(`10.14 a link before the first, behind which none can be made any more, is found, and told by who makes them (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { deps } = server
    for (const size of [1, 1]) await chain(server, size)
    const row = 'previous_hash, hash, entries, last_at, made_at, mac'
    await sql
      .raw(`insert into audit_links (id, ${row}) select 0, hash, 'x', 0, 0, 0, 'x' from audit_links where id = 2`)
      .execute(deps.db)
    await recordEvent(deps, accountEvents.profile_changed(1))
    await assert.rejects(makeLinks(deps), /audit/)
    const { broken, waiting } = await checkChain(deps.db, deps.secrets)
    assert.deepEqual({ broken, waiting }, { broken: { link: 0, entry: null, why: 'link_missing' }, waiting: 1 })
  })

  test(`10.14 how long entries wait for their link is told (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { deps, clock } = server
    clock.stop()
    await chain(server, 1)
    assert.equal((await checkChain(deps.db, deps.secrets)).waitedMs, 0)
    for (const minutes of [0, 7, 4]) {
      clock.advance(minutes * 60_000)
      await recordEvent(deps, accountEvents.profile_changed(1))
    }
    const { waiting, waitedMs } = await checkChain(deps.db, deps.secrets)
    assert.deepEqual({ waiting, waitedMs }, { waiting: 3, waitedMs: 11 * 60_000 })
  })

  test(`10.15 entries that somebody made old in the database are not deleted, and the change is found (${engine})`, async (t) => {
    const server = await startTestServer(t, engine, { config: { auditKeepDays: 30 } })
    const { deps } = server
    for (const size of [2, 1]) await chain(server, size)
    await forge(server, 'update audit_links set last_at = 0')
    assert.deepEqual((await checkChain(deps.db, deps.secrets)).broken, { link: 1, entry: null, why: 'link_differs' })
    server.clock.advance(31 * DAY_MS)
    await assert.rejects(emptyOldLinks(deps), /link 1 does not hold/)
    assert.equal((await listEntries(server)).length, 3)
  })

  test(`10.15 entries go when they have grown old, and the chain can still be checked (${engine})`, async (t) => {
    const server = await startTestServer(t, engine, { config: { auditKeepDays: 30 } })
    const { deps, clock } = server
    for (const size of [2, 3]) await chain(server, size)
    clock.advance(20 * DAY_MS)
    await chain(server, 4)
    clock.advance(11 * DAY_MS)
    for (let sweeps = 0; sweeps < 3; sweeps++) await emptyOldLinks(deps)
    const emptied = await checkChain(deps.db, deps.secrets)
    assert.deepEqual(
      { links: emptied.links, entries: emptied.entries, emptied: emptied.emptied, broken: emptied.broken },
      { links: 3, entries: 4, emptied: 2, broken: null },
    )
    // That they went is recorded as well.
    assert.equal(emptied.waiting, 2)
    await makeLinks(deps)
    assert.equal((await checkChain(deps.db, deps.secrets)).broken, null)
    assert.equal(await emptyLink(deps.db, 1, { emptied_at: 1, emptied_mac: 'x' }), undefined, 'no link goes twice')

    const row = 'at, action, object_kind, details, link_id, hash'
    await forge(
      server,
      `insert into audit_entries (id, ${row}) select 99, at, action, object_kind, details, 2, hash from audit_entries where id = 7`,
    )
    assert.deepEqual((await checkChain(deps.db, deps.secrets)).broken, { link: 2, entry: 99, why: 'entries_left' })

    await forge(server, 'update audit_links set emptied_at = emptied_at + 1 where id = 1')
    assert.deepEqual((await checkChain(deps.db, deps.secrets)).broken, { link: 1, entry: null, why: 'link_forged' })
  })

  test(`10.15 a link that another process empties meanwhile is no broken one (${engine})`, async (t) => {
    const server = await startTestServer(t, engine, { config: { auditKeepDays: 30 } })
    const { deps, clock } = server
    /** The same database, in which the oldest link is emptied right after links were listed for the first time. */
    const meanwhile = () => {
      let isDone = false
      const plugin: KyselyPlugin = {
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => {
          const isFirst = !isDone && result.rows[0] !== undefined && 'previous_hash' in result.rows[0]
          isDone ||= isFirst
          if (isFirst) await emptyOldLinks(deps)
          return result
        },
      }
      return deps.db.withPlugin(plugin)
    }
    for (const size of [2, 1, 1]) await chain(server, size)
    clock.advance(31 * DAY_MS)
    const { emptied, broken } = await checkChain(meanwhile(), deps.secrets)
    assert.deepEqual({ emptied, broken }, { emptied: 1, broken: null })
    await emptyOldLinks({ ...deps, db: meanwhile() })
    assert.equal((await checkChain(deps.db, deps.secrets)).emptied, 2)
  })

  test(`10.15 without a limit of days nothing goes (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    await chain(server, 2)
    server.clock.advance(10_000 * DAY_MS)
    await emptyOldLinks(server.deps)
    assert.equal((await checkChain(server.deps.db, server.deps.secrets)).entries, 2)
  })
}
