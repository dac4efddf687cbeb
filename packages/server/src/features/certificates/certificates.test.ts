import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { API_BASE } from '@proofdesk/contract/route'
import { makeProofId } from '@proofdesk/proof/proof-id'
import { ENGINES, startTestServer, type TestClient, type TestServer } from '../../testing.ts'
import { must, plantCollection, sendCollection } from '../../testing/collections.ts'

const DAY_MS = 24 * 60 * 60 * 1000

async function approve(reviewer: TestClient, id: number, expireTime: number | null = null): Promise<string> {
  const expire_time = expireTime === null ? null : new Date(expireTime).toISOString()
  return must(await reviewer.post(`/admin/${id}/approve/`, { admin_desc: 'Fine', expire_time }), 200).proofid
}

function retrieve(server: TestServer, fields: Record<string, string>, remoteAddress = '127.0.0.1') {
  return server.inject({
    url: `${API_BASE}/service-content-servers/get-pdfs/?${new URLSearchParams(fields)}`,
    remoteAddress,
  })
}

function describe(server: TestServer, body: Record<string, string>, remoteAddress = '127.0.0.1') {
  const url = `${API_BASE}/service-content-servers/details/`
  return server.inject({ method: 'POST', url, payload: body, remoteAddress })
}

for (const engine of ENGINES) {
  test(`a third party verifies a document with Proof ID and username (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const ada = await server.signIn('Ada.Ünal')
    const sam = await server.signIn('sam', { is_staff: true })
    const sue = await server.signIn('sue', { is_superuser: true })
    const id = await sendCollection(ada)
    const proofid = await approve(sam, id, server.clock.now() + DAY_MS)
    const username = 'Ada.Ünal'

    await t.test('and gets the certified PDF as content_{username}.pdf', async () => {
      const answer = await retrieve(server, { proofid, username })
      assert.equal(answer.statusCode, 200)
      assert.equal(answer.headers['content-type'], 'application/pdf')
      assert.equal(
        answer.headers['content-disposition'],
        `attachment; filename="content_Ada.Unal.pdf"; filename*=UTF-8''content_Ada.%C3%9Cnal.pdf`,
      )
      assert.equal(answer.rawPayload.subarray(0, 5).toString(), '%PDF-')
      const { sealed_sha256 } = await server.deps.db
        .selectFrom('proofs')
        .select('sealed_sha256')
        .executeTakeFirstOrThrow()
      assert.equal(createHash('sha256').update(answer.rawPayload).digest('hex'), sealed_sha256)
    })

    await t.test('7.44 however the Proof ID is written, and whatever the username’s case', async () => {
      const bare = proofid.replaceAll('-', '')
      for (const written of [
        bare,
        bare.toLowerCase(),
        proofid.replaceAll('-', ' '),
        ` ${proofid.replaceAll('-', ' – ')} `,
        bare.replaceAll('0', 'O').replaceAll('1', 'l'),
      ])
        assert.equal((await retrieve(server, { proofid: written, username })).statusCode, 200, written)
      for (const written of ['ADA.ÜNAL', ' ada.ünal ', 'ada.u\u0308nal'])
        assert.equal((await retrieve(server, { proofid, username: written })).statusCode, 200, written)
    })

    await t.test(
      '400 when one of the two is missing, 404 alike for an unknown Proof ID and a wrong username',
      async () => {
        const blank = { proofid, username: '  ' }
        const lacking: Record<string, string>[] = [{}, { proofid }, { username }, { proofid: ' ', username }, blank]
        for (const fields of lacking) {
          const answer = await retrieve(server, fields)
          assert.equal(answer.statusCode, 400)
          const { code, detail, ...faulty } = answer.json()
          assert.deepEqual([code, detail], ['proof_fields_missing', 'Fill ProodID and Username'])
          const missing = ['proofid', 'username'].filter((name) => !fields[name]?.trim())
          assert.deepEqual(faulty, Object.fromEntries(missing.map((name) => [name, ['This field is required.']])))
        }
        const bodies = new Set<string>()
        for (const fields of [
          { proofid: makeProofId(new Uint8Array(32)), username },
          { proofid: 'nonsense', username },
          { proofid: 'x'.repeat(1000), username },
          { proofid: 'x'.repeat(5000), username },
          { proofid, username: 'x'.repeat(5000) },
          { proofid, username: 'sam' },
          { proofid, username: 'Ada.Ünal2' },
          { proofid, username: 'x'.repeat(1000) },
          { proofid, username: '\u0000' },
          { proofid: "' or 1=1 --", username: '%' },
        ]) {
          const answer = await retrieve(server, fields, '203.0.113.1')
          assert.equal(answer.statusCode, 404)
          bodies.add(answer.body)
        }
        assert.equal(bodies.size, 1)
        assert.deepEqual(JSON.parse([...bodies][0] ?? ''), {
          code: 'proof_not_found',
          detail: 'Check your ProodID and Username Again',
        })
      },
    )

    await t.test('410 once it has expired, but only to who knows the username; so too after its deletion', async () => {
      const short = await sendCollection(ada)
      const expiring = await approve(sam, short, server.clock.now() + 60_000)
      assert.equal((await retrieve(server, { proofid: expiring, username })).statusCode, 200)
      server.clock.advance(60_001)
      for (const isDeleted of [false, true]) {
        if (isDeleted) must(await ada.delete(`/collections/${short}/`), 204)
        const expired = await retrieve(server, { proofid: expiring, username })
        assert.equal(expired.statusCode, 410)
        assert.equal(expired.json().code, 'proof_expired')
        assert.equal(expired.headers['content-disposition'], undefined)
        assert.equal((await retrieve(server, { proofid: expiring, username: 'sam' })).statusCode, 404)
      }
      const listed = must(await ada.get('/content-servers/'), 200).results
      assert.deepEqual(
        listed.map((row: { is_active: boolean }) => row.is_active),
        [false, true],
      )
    })

    await t.test(
      '404 for an approval that is claimed but not yet published, and for one that was withdrawn instead',
      async () => {
        const owner = must(await ada.get('/user/info'), 200)
        const planted = await plantCollection(server, owner, 'claimed')
        const row = await server.deps.db
          .selectFrom('proofs')
          .selectAll()
          .where('collection_id', '=', planted.id)
          .executeTakeFirstOrThrow()
        assert.equal((await retrieve(server, { proofid: row.proofid, username })).statusCode, 404)
        assert.equal((await sam.get(`/content-servers/serve/?collection_proofid=${row.proofid}`)).status, 404)
        must(await sue.post(`/admin/${planted.id}/withdraw/`, { admin_desc: 'The sealing is broken' }), 200)
        const unknown = await retrieve(server, { proofid: makeProofId(new Uint8Array(32)), username })
        const withdrawn = await retrieve(server, { proofid: row.proofid, username })
        assert.equal(withdrawn.statusCode, 404)
        assert.equal(withdrawn.body, unknown.body)
        assert.equal((await describe(server, { proofid: row.proofid, username })).body, unknown.body)
        await server.deps.db.updateTable('proofs').set({ expire_time: 1 }).where('id', '=', row.id).execute()
        assert.equal((await retrieve(server, { proofid: row.proofid, username })).body, unknown.body)
        assert.equal((await describe(server, { proofid: row.proofid, username })).body, unknown.body)
        assert.equal((await sam.get(`/content-servers/serve/?collection_proofid=${row.proofid}`)).status, 404)
      },
    )

    await t.test('and reads what the certificate says: title, issuer, validity and files with hashes', async () => {
      const lasting = await sendCollection(ada)
      const expires = server.clock.now() + DAY_MS
      const approved = await approve(sam, lasting, expires)
      const answer = await describe(server, { proofid: approved.toLowerCase(), username: 'ADA.ÜNAL' })
      assert.equal(answer.statusCode, 200)
      const { issued_at, files, ...said } = answer.json()
      const { approved_at } = await server.deps.db
        .selectFrom('proofs')
        .select('approved_at')
        .where('proofid', '=', approved)
        .executeTakeFirstOrThrow()
      assert.equal(Date.parse(issued_at), approved_at)
      assert.deepEqual(said, {
        proofid: approved,
        title: 'Degree',
        username,
        expire_time: new Date(expires).toISOString(),
        issuer: server.deps.config.organisation,
        reviewer: 'sam',
        reviewer_organisation: server.deps.config.organisation,
      })
      const stored = await server.deps.db
        .selectFrom('contents')
        .select(['title', 'file_name', 'type', 'size', 'sha256'])
        .where('collection_id', '=', lasting)
        .execute()
      assert.ok(stored.length > 0)
      assert.deepEqual(
        files,
        stored.map((row) => ({ ...row })),
      )

      const lasts = await approve(sam, await sendCollection(ada))
      assert.equal((await describe(server, { proofid: lasts, username })).json().expire_time, null)
    })

    await t.test('is told there no more than by the call for the PDF: 400, 404 and 410 alike', async () => {
      const short = await sendCollection(ada)
      const expiring = await approve(sam, short, server.clock.now() + 60_000)
      server.clock.advance(60_001)
      for (const fields of [
        { username },
        { proofid, username: ' ' },
        { proofid: makeProofId(new Uint8Array(32)), username },
        { proofid: 'nonsense', username },
        { proofid, username: 'sam' },
        { proofid: expiring, username: 'sam' },
        { proofid: expiring, username },
      ] as Record<string, string>[]) {
        const answer = await describe(server, fields)
        assert.equal(answer.body, (await retrieve(server, fields)).body)
        assert.notEqual(answer.statusCode, 200)
      }
      assert.equal((await describe(server, { proofid: expiring, username })).statusCode, 410)
    })

    await t.test('and nothing of what was asked for reaches the log', async () => {
      const log = server.logLines.join('\n')
      assert.ok(log.includes('get-pdfs'))
      for (const secret of [proofid, proofid.slice(0, 9), 'Ünal', 'username=', 'proofid='])
        assert.ok(!log.includes(secret), secret)
    })
  })

  test(`9.30 misses are counted, hits are not (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const ada = await server.signIn('ada')
    const sam = await server.signIn('sam', { is_staff: true })
    const proofid = await approve(sam, await sendCollection(ada))
    for (let n = 0; n < 70; n += 1)
      assert.equal((await retrieve(server, { proofid, username: 'ada' }, '198.51.100.1')).statusCode, 200)

    const wrong = { proofid, username: 'eve' }
    for (let n = 0; n < 60; n += 1)
      assert.equal((await retrieve(server, wrong, '198.51.100.1')).statusCode, 404, `miss ${n}`)
    const limited = await retrieve(server, { proofid, username: 'ada' }, '198.51.100.1')
    assert.equal(limited.statusCode, 429)
    assert.ok(Number(limited.headers['retry-after']) > 0)
    assert.equal((await retrieve(server, { proofid, username: 'ada' }, '198.51.100.2')).statusCode, 200)

    // One Proof ID, many addresses: 60 misses are counted already.
    for (let n = 60; n < 200; n += 1)
      assert.equal((await retrieve(server, wrong, `198.51.100.${(n % 9) + 10}`)).statusCode, 404, `miss ${n}`)
    assert.equal((await retrieve(server, wrong, '198.51.100.99')).statusCode, 429)
    // Nobody makes a proof unverifiable: the right pair gets through, also while others try.
    const [right] = await Promise.all([
      retrieve(server, { proofid, username: 'ada' }, '198.51.100.99'),
      ...Array.from({ length: 5 }, () => retrieve(server, wrong, '198.51.100.98')),
    ])
    assert.equal(right.statusCode, 200)

    // A miss that is refused there still counts for the address: nobody guesses on from one without end.
    for (let n = 0; n < 60; n += 1)
      assert.equal((await retrieve(server, wrong, '198.51.100.97')).statusCode, 429, `refused miss ${n}`)
    const shut = await retrieve(server, { proofid, username: 'ada' }, '198.51.100.97')
    assert.equal(shut.statusCode, 429)
    assert.ok(Number(shut.headers['retry-after']) > 0)
    assert.equal((await retrieve(server, { proofid, username: 'ada' }, '198.51.100.96')).statusCode, 200)
  })

  test(`9.30 an unknown Proof ID and a wrong username are limited alike (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const ada = await server.signIn('ada')
    const sam = await server.signIn('sam', { is_staff: true })
    const proofid = await approve(sam, await sendCollection(ada))
    const unknown = makeProofId(new Uint8Array(32))
    const answers = async (asked: string) => {
      const codes: string[] = []
      for (let n = 0; n < 202; n += 1) {
        const answer = await retrieve(server, { proofid: asked, username: 'eve' }, `203.0.113.${n % 9}`)
        codes.push(`${answer.statusCode} ${answer.json().code}`)
      }
      return codes
    }
    const known = await answers(proofid)
    // From fresh addresses in the same way.
    const other = await Promise.all(
      Array.from({ length: 202 }, async (_, n) => {
        const answer = await retrieve(server, { proofid: unknown, username: 'eve' }, `192.0.${n}.1`)
        return `${answer.statusCode} ${answer.json().code}`
      }),
    )
    assert.deepEqual(known, [
      ...Array<string>(200).fill('404 proof_not_found'),
      ...Array<string>(2).fill('429 rate_limited'),
    ])
    assert.deepEqual(other.toSorted(), known.toSorted())
  })

  test(`misses of both calls count together (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const wrong = { proofid: makeProofId(new Uint8Array(32)), username: 'eve' }
    for (let n = 0; n < 30; n += 1) {
      assert.equal((await describe(server, wrong, '198.51.100.1')).statusCode, 404)
      assert.equal((await retrieve(server, wrong, '198.51.100.1')).statusCode, 404)
    }
    assert.equal((await describe(server, wrong, '198.51.100.1')).statusCode, 429)
    assert.equal((await retrieve(server, wrong, '198.51.100.1')).statusCode, 429)
  })

  test(`the list of server content (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const ada = await server.signIn('ada')
    const bob = await server.signIn('bob')
    const sam = await server.signIn('sam', { is_staff: true })
    const amy = await server.signIn('amy', { is_admin: true })
    const id = await sendCollection(ada)
    const expiresAt = server.clock.now() + 5 * 60_000
    const proofid = await approve(sam, id, expiresAt)
    const [bobInfo, samInfo] = await Promise.all([bob, sam].map(async (who) => must(await who.get('/user/info'), 200)))
    for (let n = 0; n < 10; n += 1) {
      server.clock.advance(1000)
      await plantCollection(server, bobInfo, n % 2 ? 'approved' : 'expired', samInfo)
    }
    await plantCollection(server, bobInfo, 'claimed', samInfo)

    await t.test('shows one’s own, or everybody’s to reviewers; what is not published is not there', async () => {
      const own = must(await ada.get('/content-servers/'), 200)
      assert.equal(own.count, 1)
      const { created_at, ...row } = own.results[0]
      assert.ok(!Number.isNaN(Date.parse(created_at)))
      assert.deepEqual(row, {
        collection_proofid: proofid,
        collection_title: 'Degree',
        pdf_file: `/backend/api/v1/content-servers/serve/?collection_proofid=${proofid.replace('$', '%24').replace('=', '%3D').replace('~', '%7E')}`,
        user: 'ada',
        staff_username: 'sam',
        is_active: true,
        collection: id,
        expire_time: new Date(expiresAt).toISOString(),
        revoked_at: null,
        revocation_reason: null,
        change_count: 0,
        may: { revoke: false, reinstate: false, change_expiry: false },
      })
      assert.equal(must(await sam.get('/content-servers/'), 200).count, 11)
      assert.equal(must(await amy.get('/content-servers/'), 200).count, 0)
      assert.equal((await server.stranger.get('/content-servers/')).status, 401)
    })

    await t.test(
      '7.41 is searched by title and Proof ID, by reviewers also by the names of owner and reviewer',
      async () => {
        const find = async (who: typeof ada, search: string) =>
          must(await who.get(`/content-servers/?search=${encodeURIComponent(search)}`), 200).count
        for (const search of ['deg', 'DEGREE', proofid, proofid.toLowerCase(), proofid.slice(0, 9)])
          assert.equal(await find(ada, search), 1, search)
        for (const search of ['bob', 'sam', '%', '_', 'nothing of this'])
          assert.equal(await find(ada, search), 0, search)
        assert.equal(await find(sam, 'BOB'), 10)
        assert.equal(await find(sam, 'sam'), 11)
        assert.equal(await find(sam, proofid), 1)
        assert.equal(await find(ada, '   '), 1)
        const paged = must(await sam.get('/content-servers/?search=sam&page=2'), 200)
        assert.equal(paged.previous, '/backend/api/v1/content-servers/?search=sam&page=1')
        assert.equal((await sam.get(`/content-servers/?search=${'x'.repeat(201)}`)).status, 400)
      },
    )

    await t.test('says until when each holds, and which collection it was made from while there is one', async () => {
      const { results } = must(await sam.get('/content-servers/'), 200)
      for (const row of results) {
        assert.equal(typeof row.collection, 'number')
        if (row.expire_time === null) assert.equal(row.is_active, true)
        else assert.equal(row.is_active, Date.parse(row.expire_time) > server.clock.now())
      }
      assert.ok(results.some((row: { is_active: boolean }) => !row.is_active))
    })

    await t.test('7.41 9.4 ten a page, newest first, with links', async () => {
      const first = must(await sam.get('/content-servers/?ordering=-created_at'), 200)
      assert.equal(first.results.length, 10)
      assert.equal(first.next, '/backend/api/v1/content-servers/?ordering=-created_at&page=2')
      const second = must(await sam.get('/content-servers/?page=2'), 200)
      assert.deepEqual(
        second.results.map((row: { collection_proofid: string }) => row.collection_proofid),
        [proofid],
      )
      const oldest = must(await sam.get('/content-servers/?ordering=created_at'), 200).results[0]
      assert.equal(oldest.collection_proofid, proofid)
      assert.equal(must(await sam.get('/content-servers/?ordering=-title'), 200).results[0].collection_title, 'Degree')
      assert.equal((await sam.get('/content-servers/?page=3')).status, 404)
      assert.equal((await sam.get('/content-servers/?ordering=user')).status, 400)
      const inactive = first.results.filter((row: { is_active: boolean }) => !row.is_active)
      assert.equal(inactive.length, 5)
    })

    await t.test('7.42 and each is served to those who see it there, expired or not', async () => {
      const served = await ada.get(`/content-servers/serve/?collection_proofid=${encodeURIComponent(proofid)}`)
      assert.equal(served.status, 200)
      assert.match(String(served.headers['content-disposition']), /^inline; filename="content_ada\.pdf"/)
      assert.equal(
        (await sam.get(`/content-servers/serve/?collection_proofid=${encodeURIComponent(proofid)}`)).status,
        200,
      )
      for (const who of [bob, amy])
        assert.equal(
          (await who.get(`/content-servers/serve/?collection_proofid=${encodeURIComponent(proofid)}`)).status,
          404,
        )
      server.clock.advance(5 * 60_000)
      assert.equal(
        (await ada.get(`/content-servers/serve/?collection_proofid=${encodeURIComponent(proofid)}`)).status,
        200,
      )
    })

    await t.test('a certified file that is missing from the store is told as missing, not as none', async () => {
      const { sealed_key } = await server.deps.db
        .selectFrom('proofs')
        .select('sealed_key')
        .where('proofid', '=', proofid)
        .executeTakeFirstOrThrow()
      await server.deps.blobs.remove(sealed_key ?? '')
      const answer = await sam.get(`/content-servers/serve/?collection_proofid=${encodeURIComponent(proofid)}`)
      assert.equal(answer.status, 500)
      assert.equal(answer.json().code, 'file_missing')
    })
  })
}
