import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toHex } from '@proofdesk/proof/bytes'
import { parseCheckpoint } from '@proofdesk/proof/log/checkpoint'
import { parseNote } from '@proofdesk/proof/log/note'
import { parseInstancePolicy } from '@proofdesk/proof/instance-policy'
import { openReceipt } from '@proofdesk/proof/receipt'
import { sql } from 'kysely'
import { describeInstance } from '../../log/describe-instance.ts'
import { findNewestCheckpoint } from '../../log/queries.ts'
import { ENGINES, startTestServer, type TestAnswer } from '../../testing.ts'
import { must, sendCollection } from '../../testing/collections.ts'
import { plantFiledCollection } from '../../testing/role-table/plant.ts'
import { findProofByProofId } from './queries.ts'

/** Less than an access token lasts. */
const SOON_MS = 60_000

function mustRefuse(answer: TestAnswer, status: number, code: string): void {
  assert.deepEqual([answer.status, answer.json().code], [status, code], answer.body)
}

for (const engine of ENGINES) {
  test(`15.20 a receipt says what was found, of which document, when, and under which head of the log (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { deps, clock } = server
    const { db } = deps
    const ada = await server.signIn('ada')
    const [sam, sue] = [
      await server.signIn('sam', { is_staff: true }),
      await server.signIn('sue', { is_superuser: true }),
    ]
    const end = Math.floor(clock.now() / 1000) * 1000 + SOON_MS
    const decision = { admin_desc: 'Fine', expire_time: new Date(end).toISOString() }
    const proofid: string = must(await sam.post(`/admin/${await sendCollection(ada)}/approve/`, decision), 200).proofid
    const { sealed_sha256: sha256, sealed_size: size } = (await findProofByProofId(db, proofid))!
    const ask = async () => {
      const answer = await server.stranger.post('/service-content-servers/receipt/', { proofid, username: 'ada' })
      return openReceipt(must(answer, 200).receipt, parseInstancePolicy(describeInstance(deps)))
    }
    /** What is the same whatever was found; `at` in milliseconds. */
    const tell = async (at: number) => {
      const { origin, size: entries, root } = parseCheckpoint(parseNote((await findNewestCheckpoint(db))!.note).text)
      const head = { origin, size: entries, root: toHex(root) }
      return { proofId: proofid, sha256, size, expiresAt: end / 1000, at: Math.floor(at / 1000), head }
    }
    clock.stop(end - 1)
    assert.deepEqual(await ask(), { ...(await tell(end - 1)), verdict: 'valid', revokedAt: null })
    clock.stop(end)
    assert.deepEqual(await ask(), { ...(await tell(end)), verdict: 'expired', revokedAt: null })
    must(await sue.post('/admin/proofs/revoke/', { proofid, reason: 'superseded' }), 200)
    clock.stop(end + 1000)
    assert.deepEqual(await ask(), { ...(await tell(end + 1000)), verdict: 'revoked', revokedAt: end / 1000 })
    must(await sue.post('/admin/proofs/reinstate/', { proofid }), 200)
    must(await sue.post('/admin/proofs/expiry/', { proofid, expire_time: null }), 200)
    assert.deepEqual(await ask(), { ...(await tell(end + 1000)), verdict: 'valid', expiresAt: null, revokedAt: null })
  })

  test(`15.20 where the log has no head yet, as with proofs from before there was one, a receipt has one signed (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { deps } = server
    const owner = await server.createUser({ username: 'ada' })
    const { proofid } = await plantFiledCollection({ server, owner }, 'approved')
    assert.equal(await findNewestCheckpoint(deps.db), undefined)
    const answer = await server.stranger.post('/service-content-servers/receipt/', { proofid, username: 'ada' })
    const { head, verdict } = await openReceipt(must(answer, 200).receipt, parseInstancePolicy(describeInstance(deps)))
    assert.deepEqual([verdict, head.size], ['valid', (await findNewestCheckpoint(deps.db))?.size])
  })

  test(`13.12 13.13 13.14 a stranger is told the verdict (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { db } = server.deps
    const ada = await server.signIn('ada')
    const sam = await server.signIn('sam', { is_staff: true })
    const end = server.clock.now() + SOON_MS
    const decision = { admin_desc: 'Fine', expire_time: new Date(end).toISOString() }
    const id = await sendCollection(ada)
    const proofid: string = must(await sam.post(`/admin/${id}/approve/`, decision), 200).proofid
    const retrieve = (username = 'ada') =>
      server.stranger.get(`/service-content-servers/get-pdfs/?${new URLSearchParams({ proofid, username })}`)
    const judge = (username = 'ada', asked = proofid) =>
      server.stranger.post('/service-content-servers/verdict/', { proofid: asked, username })
    const details = (username: string) =>
      server.stranger.post('/service-content-servers/details/', { proofid, username })
    const calls = [() => retrieve(), () => details('ada')]

    await t.test('valid', async () => {
      const { files, ...verdict } = must(await judge(), 200)
      assert.equal(verdict.verdict, 'valid')
      assert.deepEqual(
        [verdict.title, verdict.username, verdict.expire_time, verdict.revoked_at, verdict.reason],
        ['Degree', 'ada', new Date(end).toISOString(), null, null],
      )
      assert.equal(verdict.reviewer_organisation, server.config.organisation)
      assert.match(files[0].sha256, /^[0-9a-f]{64}$/)
      for (const call of calls) assert.equal((await call()).status, 200)
    })

    await t.test('expired', async () => {
      server.clock.advance(SOON_MS)
      for (const call of calls) {
        const answer = await call()
        assert.equal(answer.status, 410)
        assert.deepEqual(answer.json(), {
          code: 'proof_expired',
          detail: 'This proof has expired.',
          expire_time: new Date(end).toISOString(),
        })
      }
      assert.equal(must(await judge(), 200).verdict, 'expired')
    })

    await t.test('revoked, which counts before expired', async () => {
      const { revoked_at } = must(
        await sam.post('/admin/proofs/revoke/', { proofid, reason: 'content_false', text: 'Hush' }),
        200,
      )
      for (const call of calls) {
        const answer = await call()
        assert.equal(answer.status, 410)
        assert.deepEqual(answer.json(), {
          code: 'proof_revoked',
          detail: 'This proof was revoked.',
          revoked_at,
          reason: 'content_false',
        })
      }
      const answer = await judge()
      const { verdict, reason, files } = must(answer, 200)
      assert.deepEqual([verdict, reason, files.length], ['revoked', 'content_false', 1])
      assert.doesNotMatch(answer.body, /Hush/)
    })

    await t.test('not found, for who does not know the username, whatever it is', async () => {
      const unknown = await judge('ada', '0000-0000-0000-0000-0')
      mustRefuse(unknown, 404, 'proof_not_found')
      for (const answer of [await judge('bob'), await retrieve('bob'), await details('bob')])
        assert.deepEqual([answer.status, answer.body], [404, unknown.body])
      mustRefuse(await judge(' '), 400, 'proof_fields_missing')
    })

    await t.test('altered, which counts before revoked', async () => {
      const { seal_mac } = (await findProofByProofId(db, proofid)) ?? assert.fail('no proof')
      await db.updateTable('proofs').set({ seal_mac: null }).where('proofid', '=', proofid).execute()
      for (const answer of [await judge(), await retrieve()]) mustRefuse(answer, 500, 'proof_altered')
      assert.equal((await judge('bob')).status, 404)
      await db.updateTable('proofs').set({ seal_mac }).where('proofid', '=', proofid).execute()
    })

    await t.test('under the limits of its siblings: misses at one are misses at all', async () => {
      for (let misses = 0; misses < 70; misses++) if ((await judge('bob')).status === 429) break
      const limited = await judge('bob')
      mustRefuse(limited, 429, 'rate_limited')
      assert.ok(Number(limited.headers['retry-after']) > 0)
      assert.equal((await retrieve('bob')).status, 429)
    })
  })

  test(`who issued a proof is told by the name the organisation had then (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const ada = await server.signIn('ada')
    const sam = await server.signIn('sam', { is_staff: true })
    const approve = async (): Promise<string> => {
      const id = await sendCollection(ada)
      await server.settle()
      return must(await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Fine' }), 200).proofid
    }
    const ask = (proofid: string) =>
      ['details', 'verdict'].map((call) =>
        server.stranger.post(`/service-content-servers/${call}/`, { proofid, username: 'ada' }),
      )
    const mustSay = async (proofid: string, name: string) => {
      for (const answer of await Promise.all(ask(proofid))) {
        const { issuer, reviewer_organisation } = must(answer, 200)
        assert.deepEqual([issuer, reviewer_organisation], [name, name])
      }
    }
    const before = await approve()
    server.config.organisation = 'Renamed Registry'
    await server.restart()
    const since = await approve()

    await t.test('for those from before it was renamed, and those since', async () => {
      await mustSay(before, 'Test Registry')
      await mustSay(since, 'Renamed Registry')
    })

    const { db } = server.deps
    const committed = db
      .updateTable('log_commitments')
      .where('seed', '=', (query) => query.selectFrom('proofs').select('seed').where('proofid', '=', before))

    await t.test('not by one that was written into the database since', async () => {
      await committed.set({ fields: sql`replace(fields, 'Test Registry', 'Royal Registry')` }).execute()
      for (const answer of await Promise.all(ask(before))) mustRefuse(answer, 500, 'proof_altered')
      await mustSay(since, 'Renamed Registry')
    })

    await t.test('by the present one where nothing was kept of it, as before there was a log', async () => {
      await db.deleteFrom('log_commitments').execute()
      await mustSay(before, 'Renamed Registry')
    })
  })
}
