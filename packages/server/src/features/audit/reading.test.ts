import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuditFilter } from '@proofdesk/contract/audit'
import { AUDIT_PAGE_SIZE } from '@proofdesk/contract/limits'
import type { KyselyPlugin } from 'kysely'
import { recordEvent } from '../../events/record-events.ts'
import { ENGINES, startTestServer } from '../../testing.ts'
import { accountEvents } from '../account/events.ts'
import { answerFor } from '../../http/asking-client.ts'
import { exportAudit } from './export.ts'
import { listAudit, readAll } from './service.ts'

const NOW = Date.UTC(2027, 0, 31, 18)
const HOUR_MS = 60 * 60 * 1000

const anybody = async () => {}

/** Counts what is asked. */
function watch() {
  const seen = { asked: 0 }
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      seen.asked += 1
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return { seen, plugin }
}

for (const engine of ENGINES) {
  test(`10.5 a page for which entries may have to be read past is read beside what others wait for (${engine})`, async (t) => {
    const server = await startTestServer(t, engine, { now: NOW })
    const { deps } = server
    const sue = await server.createUser({ username: 'sue', is_superuser: true })
    await recordEvent(deps, accountEvents.profile_changed(sue.id))
    const viewer = { ...sue, is_superuser: true, is_email_verified: true }
    const isBeside = async (filter: AuditFilter) => {
      const { seen, plugin } = watch()
      const longReads = deps.longReads.withPlugin(plugin)
      await listAudit({ reads: deps.reads, longReads }, viewer, filter, '/audit/')
      return seen.asked > 0
    }
    for (const filter of [
      {},
      { actor: 'sue' },
      { action: 'signed_in' },
      { object: 'user' },
      { object: 'user', object_id: sue.id },
      { collection: 7 },
    ] as const)
      assert.equal(await isBeside(filter), false, JSON.stringify(filter))
    for (const filter of [
      { from: NOW },
      { to: NOW },
      { object_id: 7 },
      { actor: 'sue', action: 'signed_in' },
      { object: 'user', object_id: 7, collection: 7 },
    ] as const)
      assert.equal(await isBeside(filter), true, JSON.stringify(filter))
  })

  test(`10.5 a time is searched for also where a clock was set, and entries do not stand in the order of their times (${engine})`, async (t) => {
    const server = await startTestServer(t, engine, { now: NOW })
    const { deps, clock } = server
    const sue = await server.createUser({ username: 'sue', is_superuser: true })
    const viewer = { ...sue, is_superuser: true, is_email_verified: true }
    for (const hours of [0, 1, 48, 2, -24, 3]) {
      clock.stop(NOW + hours * HOUR_MS)
      await recordEvent(deps, accountEvents.profile_changed(hours + 100))
    }
    const hoursOf = (ids: (number | null | undefined)[]) => ids.map((id) => (id ?? 0) - 100)
    const search = async (filter: AuditFilter) => {
      const { results } = await listAudit(deps, viewer, filter, '/audit/')
      const shown = hoursOf(results.map(({ object }) => object.id))
      const read = hoursOf(
        (await Array.fromAsync(readAll(deps.longReads, filter, anybody))).map(({ object_id: id }) => id),
      )
      assert.deepEqual(read, shown.toReversed())
      return shown
    }
    assert.deepEqual(await search({ from: NOW, to: NOW + 4 * HOUR_MS }), [3, 2, 1, 0])
    assert.deepEqual(await search({ from: NOW + HOUR_MS }), [3, 2, 48, 1])
    assert.deepEqual(await search({ to: NOW + HOUR_MS, object: 'user' }), [-24, 0])
    assert.deepEqual(await search({ from: NOW + 72 * HOUR_MS }), [])
    assert.deepEqual(await search({ object_id: 148 }), [48])
  })

  test(`10.6 a file holds all entries of a trail whose first ones are no longer kept, in several portions (${engine})`, async (t) => {
    const { deps } = await startTestServer(t, engine, { now: NOW })
    await recordEvent(deps, accountEvents.profile_changed(1))
    const [first] = await deps.db.selectFrom('audit_entries').selectAll().execute()
    const { id: _, ...entry } = first ?? assert.fail('none')
    // More than one portion, and farther apart than one statement walks.
    const many = Array.from({ length: 700 }, (__, n) => ({ ...entry, id: 120_000 + n * 200, object_id: n % 2 }))
    for (let at = 0; at < many.length; at += AUDIT_PAGE_SIZE)
      await deps.db
        .insertInto('audit_entries')
        .values(many.slice(at, at + AUDIT_PAGE_SIZE))
        .execute()
    // A page that is just full has none behind it.
    const some = Array.from({ length: AUDIT_PAGE_SIZE }, (__, n) => ({ ...entry, id: 90_000 + n, collection_id: 7 }))
    await deps.db.insertInto('audit_entries').values(some).execute()
    const viewer = {
      id: 1,
      username: 'sue',
      is_staff: false,
      is_admin: false,
      is_superuser: true,
      is_email_verified: true,
    }
    const page = await listAudit(deps, viewer, { collection: 7 }, '/audit/?collection=7')
    assert.deepEqual([page.results.length, page.next], [AUDIT_PAGE_SIZE, null])
    const read = async (filter: AuditFilter) =>
      (await Array.fromAsync(readAll(deps.longReads, filter, anybody))).map(({ id }) => id)
    const ids = many.map(({ id }) => id)
    assert.deepEqual(await read({}), [first?.id, ...some.map(({ id }) => id), ...ids])
    assert.deepEqual(
      await read({ from: NOW - HOUR_MS, object_id: 0 }),
      ids.filter((__, n) => n % 2 === 0),
    )
    assert.deepEqual(await read({ action: 'signed_in' }), [])
  })

  test(`10.6 a file breaks off when the session or the rights of whoever reads it end (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { deps } = server
    await recordEvent(deps, accountEvents.profile_changed(1))
    const [first] = await deps.db.selectFrom('audit_entries').selectAll().execute()
    const { id: _, ...entry } = first ?? assert.fail('none')
    // Farther apart than one statement walks: each is a portion.
    const many = Array.from({ length: 9 }, (__, n) => ({ ...entry, id: (n + 1) * 200_000 }))
    await deps.db.insertInto('audit_entries').values(many).execute()
    const sue = await server.createUser({ username: 'sue', is_superuser: true })
    const viewer = { ...sue, is_superuser: true, is_email_verified: true }
    for (const end of ['sessions', 'rights', undefined] as const) {
      await server.signIn('sue')
      const { id: sessionId } = await deps.db.selectFrom('sessions').select('id').executeTakeFirstOrThrow()
      const file = await answerFor('192.0.2.1', { sessionId, viewer, needsVerifiedEmail: true }, () =>
        exportAudit(deps, viewer, { format: 'json' }),
      )
      const read: unknown[] = []
      const reading = async () => {
        for await (const piece of file) {
          read.push(piece)
          if (read.length > 1) continue
          if (end === 'sessions') await deps.db.deleteFrom('sessions').execute()
          if (end === 'rights') await deps.db.updateTable('users').set({ is_superuser: 0 }).execute()
        }
      }
      if (end === undefined) {
        await reading()
        assert.equal(JSON.parse(read.join('')).length > many.length, true)
        continue
      }
      await assert.rejects(reading, { code: end === 'sessions' ? 'not_signed_in' : 'forbidden' })
      assert.equal(read.length <= many.length, true)
      await deps.db.deleteFrom('sessions').execute()
      await deps.db.updateTable('users').set({ is_superuser: 1 }).execute()
    }
  })
}
