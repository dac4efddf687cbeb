import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UserInfo } from '@proofdesk/contract/users'
import { ENGINES, startTestServer, type TestServer } from '../../../testing.ts'
import { must, plantCollection } from '../../../testing/collections.ts'
import { plantFiledCollection } from '../../../testing/role-table/plant.ts'
import { remindOwners } from './remind-owners.ts'

const NOW = Date.UTC(2027, 0, 31, 18)
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** A proof in force for so long from now on. @returns its Proof ID. */
async function plantProof(server: TestServer, owner: UserInfo, forMs: number): Promise<string> {
  const { id, proofid } = await plantFiledCollection({ server, owner }, 'approved')
  const { db } = server.deps
  const expire_time = server.clock.now() + forMs
  await db.updateTable('collections').set({ expire_time }).where('id', '=', id).execute()
  await db.updateTable('proofs').set({ current_expire_time: expire_time }).where('collection_id', '=', id).execute()
  return proofid ?? assert.fail('not published')
}

/** What was mailed since the last time it was asked, by address and the day that is named. */
function followMails(server: TestServer) {
  // By their ids: where the clock stands still, the names of their files say nothing of their order.
  const seen = new Set<string | undefined>()
  return async (): Promise<string[]> => {
    const fresh = (await server.mails()).filter(({ messageId }) => !seen.has(messageId))
    for (const { messageId } of fresh) seen.add(messageId)
    return fresh.flatMap(({ to, subject }) => {
      const day = /^Expires on (\d{4}-\d\d-\d\d)/.exec(subject ?? '')?.[1]
      return day === undefined ? [] : [`${to?.[0]?.address} ${day}`]
    })
  }
}

for (const engine of ENGINES) {
  test(`13.16 an owner is reminded once on each day-mark (${engine})`, async (t) => {
    const server = await startTestServer(t, engine, { now: NOW })
    server.clock.stop(NOW)
    const ada = await server.createUser({ username: 'ada' })
    const listFresh = followMails(server)
    /** As two processes that were started anew would, at the same moment. */
    const remindAt = async (daysBefore: number, end: number) => {
      server.clock.stop(end - daysBefore * DAY_MS)
      await Promise.all([remindOwners({ ...server.deps }), remindOwners({ ...server.deps })])
      await remindOwners(server.deps)
      return listFresh()
    }
    await remindOwners(server.deps)
    const proofid = await plantProof(server, ada, 40 * DAY_MS)
    const end = NOW + 40 * DAY_MS
    const once = [`ada@example.org ${new Date(end).toISOString().slice(0, 10)}`]
    assert.deepEqual(await remindAt(30.001, end), [])
    assert.deepEqual(await remindAt(30, end), once)
    const [mail] = await server.mails()
    assert.ok(mail?.text?.includes(proofid))
    assert.match(mail?.text ?? '', /open a ticket/)
    assert.deepEqual(await remindAt(29, end), [])
    assert.deepEqual(await remindAt(7, end), once)
    assert.deepEqual(await remindAt(6.9, end), [])
    assert.deepEqual(await remindAt(1, end), once)
    assert.deepEqual(await remindAt(0.5, end), [])
    assert.deepEqual(await remindAt(-1, end), [])

    await t.test(
      'and where no server ran over several of them, of the last alone; of none once it is over',
      async () => {
        const start = server.clock.now()
        await plantProof(server, ada, 40 * DAY_MS)
        await plantProof(server, ada, 31 * DAY_MS)
        await remindOwners(server.deps)
        assert.deepEqual(await listFresh(), [])
        const later = start + 40 * DAY_MS
        assert.deepEqual(await remindAt(5, later), [`ada@example.org ${new Date(later).toISOString().slice(0, 10)}`])
      },
    )

    await t.test('many at the same millisecond, some at a time, and nobody twice', async () => {
      const start = server.clock.now()
      const proofs = await server.deps.db.selectFrom('proofs').selectAll().execute()
      const { id: _, ...row } = proofs[0] ?? assert.fail('none')
      // More than one transaction takes.
      const current_expire_time = start + 35 * DAY_MS
      const many = Array.from({ length: 220 }, (__, n) => ({ ...row, proofid: `0-${n}`, current_expire_time }))
      for (let at = 0; at < many.length; at += 20)
        await server.deps.db
          .insertInto('proofs')
          .values(many.slice(at, at + 20))
          .execute()
      server.clock.stop(start + 5 * DAY_MS)
      await Promise.all([remindOwners(server.deps), remindOwners(server.deps)])
      await remindOwners(server.deps)
      assert.equal((await listFresh()).length, many.length)
    })
  })

  test(`13.16 after a clock has run ahead owners are reminded on the set days, and nobody twice (${engine})`, async (t) => {
    const server = await startTestServer(t, engine, { now: NOW, config: { reminderDays: [30, 7] } })
    const ada = await server.createUser({ username: 'ada' })
    const listFresh = followMails(server)
    const remindAt = async (time: number) => {
      server.clock.stop(time)
      await Promise.all([remindOwners({ ...server.deps }), remindOwners({ ...server.deps })])
      await remindOwners(server.deps)
      return listFresh()
    }
    await remindAt(NOW)
    const plant = async (days: number) => {
      server.clock.stop(NOW)
      await plantProof(server, ada, days * DAY_MS)
    }
    for (const days of [40, 400]) await plant(days)
    const told = (days: number) => [`ada@example.org ${new Date(NOW + days * DAY_MS).toISOString().slice(0, 10)}`]

    assert.deepEqual(await remindAt(NOW + 385 * DAY_MS), told(400), 'too early: the clock is wrong')
    assert.deepEqual(await remindAt(NOW + MINUTE_MS), [])
    assert.deepEqual(await remindAt(NOW + 10 * DAY_MS), told(40))
    assert.deepEqual(await remindAt(NOW + 386 * DAY_MS), [], 'once more')
    assert.deepEqual(await remindAt(NOW + 11 * DAY_MS), [])
    assert.deepEqual(await remindAt(NOW + 33 * DAY_MS), told(40))
    // It was not there when the clock was wrong.
    await plant(401)
    assert.deepEqual(await remindAt(NOW + 360 * DAY_MS), [])
    assert.deepEqual(await remindAt(NOW + 380 * DAY_MS), told(401))
    assert.deepEqual(await remindAt(NOW + 393.5 * DAY_MS), told(400))
    assert.deepEqual(await remindAt(NOW + 394 * DAY_MS), told(401))

    await t.test('also those whose mark it made', async () => {
      const start = NOW + 394 * DAY_MS
      const { db } = server.deps
      await db.updateTable('proofs').set({ revoked_at: NOW }).execute()
      await db.deleteFrom('reminder_marks').execute()
      await remindAt(start + 365 * DAY_MS)
      await plant(394 + 31)
      assert.deepEqual(await remindAt(start), [])
      assert.deepEqual(await remindAt(start + DAY_MS), told(394 + 31))
      await db.updateTable('proofs').set({ revoked_at: NOW }).execute()
      await db.deleteFrom('reminder_marks').execute()
    })

    await t.test('and where it ran ahead by little, nobody twice either', async () => {
      const start = NOW + 394 * DAY_MS
      await plant(394 + 31)
      await remindAt(start)
      assert.deepEqual(await remindAt(start + 2 * DAY_MS), told(394 + 31))
      for (const days of [0.1, 1, 2, 3]) assert.deepEqual(await remindAt(start + days * DAY_MS), [])
    })
  })

  test(`13.16 after a clock has run ahead twice, with a way back in between or without, each owner is reminded once (${engine})`, async (t) => {
    const server = await startTestServer(t, engine, { now: NOW, config: { reminderDays: [30] } })
    const ada = await server.createUser({ username: 'ada' })
    const listFresh = followMails(server)
    const remindAt = async (days: number) => {
      server.clock.stop(NOW + days * DAY_MS)
      await Promise.all([remindOwners({ ...server.deps }), remindOwners({ ...server.deps })])
      await remindOwners(server.deps)
      return listFresh()
    }
    const plant = async (days: number) => plantProof(server, ada, NOW + days * DAY_MS - server.clock.now())
    const told = (days: number) => [`ada@example.org ${new Date(NOW + days * DAY_MS).toISOString().slice(0, 10)}`]
    await remindAt(0)
    for (const days of [40, 400, 1015]) await plant(days)

    assert.deepEqual(await remindAt(385), told(400), 'too early')
    assert.deepEqual(await remindAt(0.01), [])
    assert.deepEqual(await remindAt(1000), told(1015), 'too early')
    assert.deepEqual(await remindAt(0.02), [])
    assert.deepEqual(await remindAt(300), [])
    // On, and further on.
    assert.deepEqual(await remindAt(600), [])
    assert.deepEqual(await remindAt(0.03), [])
    assert.deepEqual(await remindAt(10.1), told(40))
    await plant(41)
    assert.deepEqual(await remindAt(12), told(41))
    await plant(395)
    for (const days of [13, 365.5]) assert.deepEqual(await remindAt(days), days < 300 ? [] : told(395))
    for (const days of [371, 990]) assert.deepEqual(await remindAt(days), [])

    await t.test('nor does one miss it whose proof was approved while the clock was wrong', async () => {
      assert.deepEqual(await remindAt(1000), [])
      assert.deepEqual(await remindAt(1002), [])
      await plant(1030.5)
      assert.deepEqual(await remindAt(1002.1), [], 'less than 30 days by that clock')
      assert.deepEqual(await remindAt(1000.1), [])
      assert.deepEqual(await remindAt(1000.6), told(1030.5))
    })
  })

  test(`13.16 an owner whose day came while the clock ran ahead is reminded once it is right again (${engine})`, async (t) => {
    const server = await startTestServer(t, engine, { now: NOW, config: { reminderDays: [30] } })
    const ada = await server.createUser({ username: 'ada' })
    const listFresh = followMails(server)
    const remindAt = async (days: number) => {
      server.clock.stop(NOW + days * DAY_MS)
      // A mark goes back by one look, and on by the next.
      for (let looks = 0; looks < 2; looks++) await remindOwners(server.deps)
      return listFresh()
    }
    await remindAt(0)
    await plantProof(server, ada, 33 * DAY_MS)
    assert.deepEqual(await remindAt(385), [], 'so long after its end')
    const told = [`ada@example.org ${new Date(NOW + 33 * DAY_MS).toISOString().slice(0, 10)}`]
    assert.deepEqual(await remindAt(5), told)
    assert.deepEqual(await remindAt(6), [])
  })

  test(`13.18 nobody is reminded of what is revoked, and after a change of the expiry the days count anew (${engine})`, async (t) => {
    const server = await startTestServer(t, engine, { now: NOW, config: { reminderDays: [7] } })
    server.clock.stop(NOW)
    const sam = await server.signIn('sam', { is_staff: true })
    const ada = await server.createUser({ username: 'ada' })
    const listFresh = followMails(server)
    const remind = async () => {
      await remindOwners(server.deps)
      return listFresh()
    }
    await remind()

    const planted = async (forMs: number) => {
      const { proofid } = await plantFiledCollection({ server, owner: ada }, 'approved')
      assert.ok(proofid !== null)
      const expire_time = new Date(server.clock.now() + forMs).toISOString()
      must(await sam.post('/admin/proofs/expiry/', { proofid, expire_time }), 200)
      return proofid
    }
    const week = 7 * DAY_MS

    await t.test('revoked', async () => {
      const proofid = await planted(week + MINUTE_MS)
      must(await sam.post('/admin/proofs/revoke/', { proofid, reason: 'superseded' }), 200)
      server.clock.advance(MINUTE_MS)
      assert.deepEqual(await remind(), [])
    })

    await t.test('revoked while its mail waits', async () => {
      const proofid = await planted(week + MINUTE_MS)
      server.clock.advance(MINUTE_MS)
      // The outbox looks by itself, too: what is due a second later waits until then.
      await remindOwners({ ...server.deps, now: () => server.clock.now() + 1000 })
      must(await sam.post('/admin/proofs/revoke/', { proofid, reason: 'superseded' }), 200)
      server.clock.advance(1000)
      assert.deepEqual(await listFresh(), [])
    })

    await t.test('with another expiry', async () => {
      const proofid = await planted(week + MINUTE_MS)
      server.clock.advance(MINUTE_MS)
      assert.equal((await remind()).length, 1)
      const end = server.clock.now() + week + MINUTE_MS
      must(await sam.post('/admin/proofs/expiry/', { proofid, expire_time: new Date(end).toISOString() }), 200)
      assert.deepEqual(await remind(), [])
      server.clock.advance(MINUTE_MS)
      assert.deepEqual(await remind(), [`ada@example.org ${new Date(end).toISOString().slice(0, 10)}`])
      must(await sam.post('/admin/proofs/expiry/', { proofid, expire_time: null }), 200)
      assert.deepEqual(await remind(), [])
    })

    await t.test('never, to an address that is not proved, or where no days are set', async () => {
      const una = await server.createUser({ username: 'una', verified: false })
      await plantProof(server, una, week + MINUTE_MS)
      server.clock.advance(MINUTE_MS)
      assert.deepEqual(await remind(), [])
      await plantCollection(server, ada, 'approved')
      await plantProof(server, ada, week + MINUTE_MS)
      server.clock.advance(MINUTE_MS)
      await remindOwners({ ...server.deps, config: { ...server.deps.config, reminderDays: [] } })
      assert.deepEqual(await listFresh(), [])
    })
  })
}
