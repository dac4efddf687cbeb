import { AUDIT_ACTIONS } from '@proofdesk/contract/audit-actions'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { FEATURES } from '../app.ts'
import { retentionEvents } from '../audit/empty-old-links.ts'
import { settingsEvents } from '../audit/record-settings.ts'
import { accountEvents } from '../features/account/events.ts'
import { reviewEvents } from '../features/reviews/events.ts'
import { releaseEvents } from '../nodes/record-release.ts'
import { ENGINES, startTestServer } from '../testing.ts'
import { answerFor } from '../http/asking-client.ts'
import { UNRECORDED_EVENTS } from './event.ts'
import { failureEvents } from './record-failure.ts'
import { recordEvent, recordEvents } from './record-events.ts'

test('every event of the closed list follows from exactly one place', () => {
  const tables = [
    failureEvents,
    retentionEvents,
    settingsEvents,
    releaseEvents,
    ...FEATURES.map(({ events = {} }) => events),
  ]
  const names = tables.flatMap((table) => Object.keys(table))
  assert.deepEqual(names.toSorted(), [...AUDIT_ACTIONS, ...UNRECORDED_EVENTS].toSorted())
})

const collection = { id: 7, owner_id: 1, title: 'Degree', submission_number: 2 }

for (const engine of ENGINES) {
  test(`what follows from an event (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { deps } = server
    const ada = await server.createUser({ username: 'ada' })
    const rejected = () => reviewEvents.collection_rejected(ada.id, { ...collection, owner_id: ada.id }, 3, true)
    const count = async (table: 'audit_entries' | 'notifications' | 'outbox') => {
      const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(deps.db)
      return Number(rows[0]?.n)
    }
    const told: object[] = []
    t.after(async () => stop())
    const stop = deps.live.subscribe((change) => {
      if (change !== 'everything') told.push({ ...change, window: 'any' })
    })

    await t.test('10.11 is undone with it, and nobody is told', async () => {
      const failing = recordEvents(deps, async (_transaction, emit) => {
        await emit(rejected())
        throw new Error('broken off')
      })
      await assert.rejects(failing, /broken off/)
      for (const table of ['audit_entries', 'notifications', 'outbox'] as const) assert.equal(await count(table), 0)
      assert.deepEqual(told, [])
    })

    await t.test('is done together: audit row, notification, mail and live hints', async () => {
      await answerFor('192.0.2.7', undefined, () => recordEvent({ ...deps, outbox: { ring: () => {} } }, rejected()))
      const { id, at, network, ...entry } = await deps.db
        .selectFrom('audit_entries')
        .selectAll()
        .executeTakeFirstOrThrow()
      assert.ok(id > 0 && at > 0)
      assert.match(network ?? '', /^[\w-]{16}$/)
      assert.deepEqual(
        { ...entry },
        {
          actor_id: ada.id,
          action: 'collection_rejected',
          object_kind: 'collection',
          object_id: 7,
          collection_id: 7,
          details: '{"submission":2,"named":true,"decision":3}',
          link_id: null,
          hash: null,
        },
      )
      assert.equal(await count('notifications'), 1)
      await assert.doesNotReject(async () => {
        // A real PostgreSQL brings hints by its own way.
        while (told.length < 2) await new Promise((resolve) => setImmediate(resolve))
      })
      const hints = told.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))
      assert.deepEqual(hints, [
        { topics: ['collections'], user: ada.id, reviewers: true, window: 'any' },
        { topics: ['notifications'], user: ada.id, window: 'any' },
      ])
    })

    await t.test('names the network by a hash that is the same for neighbours and keyed', async () => {
      const marksOf = async (...addresses: string[]) => {
        for (const address of addresses)
          await answerFor(address, undefined, () => recordEvent(deps, accountEvents.profile_changed(ada.id)))
        const rows = await deps.db.selectFrom('audit_entries').select('network').orderBy('id', 'desc').execute()
        return rows.slice(0, addresses.length).map((row) => row.network)
      }
      const [a, b, c] = await marksOf('192.0.2.7', '192.0.2.200', '192.0.3.7')
      assert.equal(b, c)
      assert.notEqual(a, b)
      const [d, e, f] = await marksOf('2001:db8:1:2::1', '2001:db8:1:ffff::1', '2001:db8:2::1')
      assert.equal(e, f)
      assert.notEqual(d, e)
      assert.notEqual(await marksOf('192.0.2.7'), '192.0.2.0/24')
    })

    await t.test('10.12 can never be changed or deleted afterwards, whoever asks the database', async () => {
      const before = await count('audit_entries')
      const attempts = [
        "update audit_entries set action = 'signed_in'",
        'update audit_entries set actor_id = 99',
        "update audit_entries set details = '{}', link_id = 1, hash = 'x'",
        "update audit_entries set hash = 'x'",
        'delete from audit_entries',
        "insert into audit_entries (at, action, object_kind, details, hash) values (1, 'x', 'user', '{}', 'x')",
        ...(engine === 'sqlite'
          ? [
              "insert or replace into audit_entries (id, at, action, object_kind, details) select id, 1, 'x', 'user', '{}' from audit_entries",
            ]
          : ['truncate audit_entries', 'truncate audit_entries, audit_links']),
      ]
      for (const attempt of attempts) await assert.rejects(sql.raw(attempt).execute(deps.db), /only added to/, attempt)
      assert.equal(await count('audit_entries'), before)
    })
  })
}
