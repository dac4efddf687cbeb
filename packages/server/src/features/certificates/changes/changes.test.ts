import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { checkCounts } from '../../../counts/check-counts.ts'
import { ENGINES, startTestServer, type TestAnswer, type TestClient, type TestServer } from '../../../testing.ts'
import { must, sendCollection } from '../../../testing/collections.ts'
import { markLapsed } from '../../collections/counts/mark-lapsed.ts'
import { findProofByProofId, type ProofRecord } from '../queries.ts'

/** Less than an access token lasts. */
const SOON_MS = 60_000

async function approve(reviewer: TestClient, id: number, expireTime?: number): Promise<string> {
  const expire_time = expireTime === undefined ? null : new Date(expireTime).toISOString()
  return must(await reviewer.post(`/admin/${id}/approve/`, { admin_desc: 'Fine', expire_time }), 200).proofid
}

const revoke = (who: TestClient, proofid: string, more: object = {}) =>
  who.post('/admin/proofs/revoke/', { proofid, reason: 'issued_in_error', ...more })
const reinstate = (who: TestClient, proofid: string, more: object = {}) =>
  who.post('/admin/proofs/reinstate/', { proofid, ...more })
const move = (who: TestClient, proofid: string, expireTime: number | null, more: object = {}) =>
  who.post('/admin/proofs/expiry/', {
    proofid,
    expire_time: expireTime === null ? null : new Date(expireTime).toISOString(),
    ...more,
  })
const listChanges = async (who: TestClient, proofid: string) =>
  must(await who.get(`/content-servers/changes/?collection_proofid=${proofid}`), 200).results
const show = async (who: TestClient, proofid: string) =>
  must(await who.get(`/content-servers/show/?collection_proofid=${proofid}`), 200)
const retrieve = ({ stranger }: TestServer, proofid: string, username = 'ada') =>
  stranger.get(`/service-content-servers/get-pdfs/?${new URLSearchParams({ proofid, username })}`)
const judge = ({ stranger }: TestServer, proofid: string, username = 'ada') =>
  stranger.post('/service-content-servers/verdict/', { proofid, username })

function mustRefuse(answer: TestAnswer, status: number, code: string): void {
  assert.deepEqual([answer.status, answer.json().code], [status, code], answer.body)
}

for (const engine of ENGINES) {
  test(`a certified proof is changed by staff and superuser (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { db } = server.deps
    const ada = await server.signIn('ada')
    const bob = await server.signIn('bob')
    const sam = await server.signIn('sam', { is_staff: true })
    const sue = await server.signIn('sue', { is_superuser: true })
    const amy = await server.signIn('amy', { is_admin: true })
    const find = async (proofid: string): Promise<ProofRecord> =>
      (await findProofByProofId(db, proofid)) ?? assert.fail('no such proof')

    await t.test('13.1 13.3 13.11 revoked and reinstated, with both in the history', async () => {
      const id = await sendCollection(ada)
      const proofid = await approve(sam, id)
      assert.deepEqual((await show(sam, proofid)).may, { revoke: true, reinstate: false, change_expiry: true })
      assert.deepEqual((await show(ada, proofid)).may, { revoke: false, reinstate: false, change_expiry: false })
      const revoked = must(await revoke(sam, proofid.toLowerCase(), { text: ' The school called. ' }), 200)
      assert.equal(revoked.revocation_reason, 'issued_in_error')
      assert.equal(revoked.is_active, false)
      assert.equal(revoked.change_count, 1)
      assert.deepEqual(revoked.may, { revoke: false, reinstate: true, change_expiry: false })
      assert.deepEqual(must(await sam.get('/content-servers/'), 200).results[0], revoked)
      assert.equal(must(await ada.get(`/collections/${id}`), 200).revoked_at, revoked.revoked_at)
      mustRefuse(await revoke(sue, proofid), 409, 'proof_already_revoked')
      mustRefuse(await move(sue, proofid, null), 409, 'proof_already_revoked')

      const again = must(await reinstate(sue, proofid, { text: 'Mixed up' }), 200)
      assert.deepEqual([again.is_active, again.revoked_at, again.revocation_reason], [true, null, null])
      assert.equal(must(await ada.get(`/collections/${id}`), 200).revoked_at, null)
      mustRefuse(await reinstate(sue, proofid), 409, 'proof_not_revoked')
      assert.equal((await retrieve(server, proofid)).status, 200)

      const entries = (texts: (string | null)[]) => [
        { kind: 'revoke', by: 'sam', reason: 'issued_in_error', text: texts[0], expire_time: null, at: undefined },
        { kind: 'reinstate', by: 'sue', reason: null, text: texts[1], expire_time: null, at: undefined },
      ]
      const withoutTime = async (who: TestClient) =>
        (await listChanges(who, proofid)).map((change: object) => ({ ...change, at: undefined }))
      assert.deepEqual(await withoutTime(sam), entries(['The school called.', 'Mixed up']))
      assert.deepEqual(await withoutTime(ada), entries([null, null]))
    })

    await t.test('13.3 whose entries the database lets nobody change, replace or delete', async () => {
      const before = await db.selectFrom('proof_changes').selectAll().orderBy('id').execute()
      assert.ok(before.length > 0)
      await assert.rejects(db.updateTable('proof_changes').set({ text: null }).execute(), /only added to/)
      await assert.rejects(db.deleteFrom('proof_changes').execute(), /only added to/)
      if (engine === 'sqlite')
        await assert.rejects(
          sql`insert or replace into proof_changes select * from proof_changes limit 1`.execute(db),
          /only added to/,
        )
      else await assert.rejects(sql`truncate proof_changes`.execute(db), /only added to/)
      assert.deepEqual(await db.selectFrom('proof_changes').selectAll().orderBy('id').execute(), before)
    })

    await t.test('13.2 the reason is one of a list, and a note is bounded', async () => {
      const proofid = await approve(sam, await sendCollection(ada))
      for (const [more, field] of [
        [{ reason: 'because' }, 'reason'],
        [{ reason: null }, 'reason'],
        [{ reason: 'other' }, 'text'],
        [{ reason: 'other', text: '  ' }, 'text'],
        [{ text: 'x'.repeat(2001) }, 'text'],
        [{ change_count: -1 }, 'change_count'],
      ] as const) {
        const answer = await revoke(sam, proofid, more)
        mustRefuse(answer, 400, 'invalid')
        assert.ok(Array.isArray(answer.json()[field]), answer.body)
      }
      assert.deepEqual(await listChanges(sam, proofid), [])
      must(await revoke(sam, proofid, { reason: 'other', text: 'x'.repeat(2000) }), 200)
    })

    await t.test('13.4 13.7 with another expiry, also after it has expired', async () => {
      const id = await sendCollection(ada)
      const end = server.clock.now() + SOON_MS
      const proofid = await approve(sam, id, end)
      const mustStandUnder = async (status: 'approved' | 'expired') => {
        const shown = must(await ada.get(`/collections/${id}`), 200)
        assert.equal(shown.is_active, status === 'approved')
        for (const tile of ['approved', 'expired']) {
          const { results } = must(await ada.get(`/collections/?status=${tile}`), 200)
          assert.equal(
            results.some((row: { id: number }) => row.id === id),
            tile === status,
          )
        }
        assert.deepEqual((await checkCounts(server.deps)).wrong, [])
        const { results } = must(await sam.get(`/content-servers/?search=${proofid}`), 200)
        assert.equal(results[0].is_active, status === 'approved')
        assert.equal((await retrieve(server, proofid)).status, status === 'approved' ? 200 : 410)
        return shown.expire_time
      }
      await mustStandUnder('approved')
      for (const past of [server.clock.now() - 1, 0]) {
        const answer = await move(sam, proofid, past)
        mustRefuse(answer, 400, 'expire_time_past')
        assert.ok(Array.isArray(answer.json().expire_time))
      }
      mustRefuse(await sam.post('/admin/proofs/expiry/', { proofid }), 400, 'invalid')
      mustRefuse(await sam.post('/admin/proofs/expiry/', { proofid, expire_time: '' }), 400, 'invalid')
      server.clock.advance(SOON_MS + 20_000)
      await markLapsed(server.deps)
      assert.equal(await mustStandUnder('expired'), new Date(end).toISOString())

      const later = server.clock.now() + 2 * SOON_MS
      const moved = must(await move(sam, proofid, later), 200)
      assert.equal(moved.expire_time, new Date(later).toISOString())
      assert.equal(await mustStandUnder('approved'), new Date(later).toISOString())
      must(await move(sue, proofid, null), 200)
      assert.equal(await mustStandUnder('approved'), null)
      // Sooner, too.
      must(await move(sue, proofid, server.clock.now() + 1000), 200)
      server.clock.advance(1001)
      await mustStandUnder('expired')
      const expired = (await retrieve(server, proofid)).json()
      assert.deepEqual([expired.code, expired.expire_time], ['proof_expired', (await show(ada, proofid)).expire_time])
      // As it was decided, it stands as it was.
      assert.equal((await find(proofid)).expire_time, end)
    })

    await t.test('13.5 not by who may not, nor one’s own, and nobody else learns of it', async () => {
      const proofid = await approve(sam, await sendCollection(ada))
      const calls = [revoke, reinstate, (who: TestClient, id: string) => move(who, id, null)]
      for (const change of calls) {
        mustRefuse(await change(ada, proofid), 403, 'forbidden')
        for (const who of [bob, amy]) mustRefuse(await change(who, proofid), 404, 'proof_not_found')
        mustRefuse(await change(server.stranger, proofid), 401, 'not_signed_in')
        for (const unknown of ['nonsense', 'x'.repeat(5000)])
          mustRefuse(await change(sam, unknown), 404, 'proof_not_found')
      }
      for (const path of ['show', 'changes', 'serve']) {
        for (const who of [bob, amy])
          assert.equal((await who.get(`/content-servers/${path}/?collection_proofid=${proofid}`)).status, 404)
        const unknown = await sam.get(`/content-servers/${path}/?collection_proofid=${'x'.repeat(5000)}`)
        mustRefuse(unknown, 404, 'proof_not_found')
      }
      await db.updateTable('users').set({ is_staff: 1 }).where('username', '=', 'ada').execute()
      for (const change of calls) mustRefuse(await change(ada, proofid), 403, 'own_collection')
      must(await revoke(sam, proofid, { text: 'Not for her' }), 200)
      assert.equal((await listChanges(ada, proofid))[0].text, null)
      await db.updateTable('users').set({ is_staff: 0 }).where('username', '=', 'ada').execute()
    })

    await t.test('13.5 one whose collection was deleted is revoked, but comes into force by nothing', async () => {
      const id = await sendCollection(ada)
      const proofid = await approve(sam, id, server.clock.now() + SOON_MS)
      server.clock.advance(SOON_MS)
      must(await ada.delete(`/collections/${id}/`), 204)
      assert.deepEqual((await show(sam, proofid)).may, { revoke: true, reinstate: false, change_expiry: false })
      mustRefuse(await move(sam, proofid, null), 409, 'proof_collection_deleted')
      assert.equal(must(await judge(server, proofid), 200).verdict, 'expired')
      must(await revoke(sam, proofid, { reason: 'content_false' }), 200)
      assert.equal(must(await judge(server, proofid), 200).verdict, 'revoked')
    })

    await t.test('13.6 of two at once after the same look one is made, and the other refused', async () => {
      const races: [string, (who: TestClient, proofid: string) => Promise<TestAnswer>][][] = [
        [
          ['revoke', (who, proofid) => revoke(who, proofid)],
          ['revoke', (who, proofid) => revoke(who, proofid)],
        ],
        [
          ['revoke', (who, proofid) => revoke(who, proofid, { change_count: 0 })],
          ['extend', (who, proofid) => move(who, proofid, server.clock.now() + SOON_MS, { change_count: 0 })],
        ],
        [
          ['extend', (who, proofid) => move(who, proofid, server.clock.now() + SOON_MS, { change_count: 0 })],
          ['extend', (who, proofid) => move(who, proofid, server.clock.now() + 2 * SOON_MS, { change_count: 0 })],
        ],
      ]
      for (const race of races) {
        const proofid = await approve(sam, await sendCollection(ada))
        const answers = await Promise.all(race.map(([, change], at) => change(at === 0 ? sam : sue, proofid)))
        const winners = answers.filter(({ status }) => status === 200)
        assert.equal(winners.length, 1, answers.map(({ body }) => body).join())
        const loser = answers.find(({ status }) => status !== 200)
        assert.equal(loser?.status, 409)
        const changes = await listChanges(sam, proofid)
        assert.deepEqual(
          changes.map(({ kind }: { kind: string }) => kind),
          [race[answers.findIndex(({ status }) => status === 200)]?.[0]],
        )
        const proof = await find(proofid)
        const collection = await db
          .selectFrom('collections')
          .select('expire_time')
          .where('id', '=', proof.collection_id)
          .executeTakeFirstOrThrow()
        assert.equal(collection.expire_time, proof.current_expire_time)
        assert.equal((await revoke(sam, proofid, { change_count: 0 })).status, 409)
      }
      // Many without a look: whichever comes first, it is revoked in the end, and each entry has a number of its own.
      const proofid = await approve(sam, await sendCollection(ada))
      await Promise.all([
        ...[1, 2, 3].map((n) => move(sam, proofid, server.clock.now() + n * SOON_MS)),
        revoke(sue, proofid),
        revoke(sam, proofid),
      ])
      const { id, change_count } = await find(proofid)
      const numbers = await db.selectFrom('proof_changes').select('number').where('proof_id', '=', id).execute()
      assert.deepEqual(
        numbers.map(({ number }) => number).toSorted((a, b) => a - b),
        Array.from({ length: change_count }, (_, at) => at + 1),
      )
      assert.ok([200, 410].includes((await retrieve(server, proofid)).status))
    })

    await t.test('13.5 13.6 given more time and deleted at once, one of the two happens', async () => {
      const id = await sendCollection(ada)
      const proofid = await approve(sam, id, server.clock.now() + SOON_MS)
      server.clock.advance(SOON_MS)
      const [moved, deleted] = await Promise.all([move(sam, proofid, null), ada.delete(`/collections/${id}/`)])
      const isMoved = moved.status === 200
      assert.deepEqual([moved.status, deleted.status], isMoved ? [200, 409] : [409, 204], moved.body + deleted.body)
      assert.equal(must(await judge(server, proofid), 200).verdict, isMoved ? 'valid' : 'expired')
    })
  })

  test(`13.9 13.10 each change is told to the owner, recorded, and shown in the timeline (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const ada = await server.signIn('ada')
    const sam = await server.signIn('sam', { is_staff: true })
    const id = await sendCollection(ada)
    const proofid = await approve(sam, id)
    const [mailsBefore, end] = [(await server.mails()).length, server.clock.now() + SOON_MS]
    must(await revoke(sam, proofid, { reason: 'superseded', text: 'Between us' }), 200)
    must(await reinstate(sam, proofid), 200)
    must(await move(sam, proofid, end, { text: 'Asked by phone' }), 200)

    const { results } = must(await ada.get('/notification/'), 200)
    assert.deepEqual(
      results.slice(0, 3).map(({ type, path, title }: Record<string, unknown>) => [type, path, title]),
      [
        ['CHANGED_EXPIRY', null, 'Degree'],
        ['REINSTATED_PROOF', null, 'Degree'],
        ['REVOKED_PROOF', null, 'Degree'],
      ],
    )
    const mails = (await server.mails()).slice(mailsBefore)
    const find = (subject: string) => mails.find((mail) => mail.subject === subject)?.text ?? assert.fail(subject)
    assert.match(find('Revoked: Degree'), /Replaced by another proof/)
    assert.ok(find('Revoked: Degree').includes(proofid))
    assert.match(find('In force again: Degree'), /no longer revoked/)
    assert.ok(find('New expiry: Degree').includes(new Date(end).toISOString().slice(0, 10)))
    for (const mail of mails) {
      assert.deepEqual(
        mail.to?.map(({ address }) => address),
        ['ada@example.org'],
      )
      assert.doesNotMatch(`${mail.text}${mail.html}`, /Between us|Asked by phone/)
    }
    assert.equal(mails.length, 3)

    const entries = await server.deps.db
      .selectFrom('audit_entries')
      .select(['action', 'object_kind', 'collection_id', 'details'])
      .where('action', 'in', ['proof_revoked', 'proof_reinstated', 'proof_expiry_changed'])
      .orderBy('id')
      .execute()
    assert.deepEqual(
      entries.map((row) => [row.action, row.object_kind, row.collection_id, row.details]),
      [
        ['proof_revoked', 'proof', id, '{"change":1,"reason":"superseded"}'],
        ['proof_reinstated', 'proof', id, '{"change":2}'],
        ['proof_expiry_changed', 'proof', id, '{"change":3}'],
      ],
    )
    for (const [who, texts] of [
      [sam, ['Between us', null, 'Asked by phone']],
      [ada, [null, null, null]],
    ] as const) {
      const steps = must(await who.get(`/collections/${id}/activity/`), 200).results.slice(-3)
      assert.deepEqual(
        steps.map(({ kind, by, text, reason, expire_time }: Record<string, unknown>) => ({
          kind,
          by,
          text,
          reason,
          expire_time,
        })),
        [
          { kind: 'revoked', by: 'sam', text: texts[0], reason: 'superseded', expire_time: null },
          { kind: 'reinstated', by: 'sam', text: texts[1], reason: null, expire_time: null },
          { kind: 'expiry_changed', by: 'sam', text: texts[2], reason: null, expire_time: new Date(end).toISOString() },
        ],
      )
    }
  })

  test(`13.8 who can write the database only takes no revocation back (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { db } = server.deps
    const ada = await server.signIn('ada')
    const sam = await server.signIn('sam', { is_staff: true })
    const proofid = await approve(sam, await sendCollection(ada))
    const other = await approve(sam, await sendCollection(ada))
    const alter = (change: Partial<ProofRecord>) =>
      db.updateTable('proofs').set(change).where('proofid', '=', proofid).execute()
    const untouched = { revoked_at: null, revocation_reason: null, change_count: 0 }
    const mustBeAltered = async () => {
      for (const answer of [await retrieve(server, proofid), await judge(server, proofid)])
        mustRefuse(answer, 500, 'proof_altered')
      mustRefuse(await move(sam, proofid, null), 500, 'proof_altered')
    }
    await alter({ current_expire_time: server.clock.now() + SOON_MS })
    await mustBeAltered()
    await alter({ current_expire_time: null, revoked_at: 1, revocation_reason: 'other' })
    for (const answer of [await retrieve(server, proofid), await judge(server, proofid)])
      mustRefuse(answer, 500, 'proof_altered')
    await alter(untouched)

    must(await revoke(sam, proofid), 200)
    must(await revoke(sam, other), 200)
    must(await reinstate(sam, other), 200)
    await alter(untouched)
    await mustBeAltered()
    await alter({ revoked_at: null, revocation_reason: null, change_count: 1 })
    await mustBeAltered()
    // With an entry that nobody made, or one of another proof.
    const [, copied] = await db
      .selectFrom('proof_changes')
      .selectAll()
      .where('number', '<=', 2)
      .orderBy('number', 'desc')
      .execute()
    const reinstated = await db
      .selectFrom('proof_changes')
      .selectAll()
      .where('number', '=', 2)
      .executeTakeFirstOrThrow()
    const { id: proof_id } = (await findProofByProofId(db, proofid)) ?? assert.fail('no proof')
    const { id: _, ...forged } = reinstated
    assert.ok(copied)
    await db
      .insertInto('proof_changes')
      .values({ ...forged, proof_id })
      .execute()
    await alter({ revoked_at: null, revocation_reason: null, change_count: 2 })
    await mustBeAltered()
  })
}
