import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { makeLinks } from '../../audit/make-links.ts'
import { listWaiting } from '../../audit/queries.ts'
import { recordEvent } from '../../events/record-events.ts'
import { enqueue } from '../../outbox/outbox.ts'
import { ENGINES, startTestServer, type TestServer } from '../../testing.ts'
import { must, sendCollection } from '../../testing/collections.ts'
import { accountEvents } from '../account/events.ts'
import { judgeCertified } from '../certificates/rounds/judge-certified.ts'
import { findRound } from '../../rounds/queries.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

async function readHealth(server: TestServer) {
  return must(await (await server.signIn('sue', { is_superuser: true })).get('/health/'), 200)
}

for (const engine of ENGINES) {
  test(`17.1 superusers see how every part is (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const report = await readHealth(server)
    const parts = 'database storage work mail log audit files antivirus backup outside_time keys release'.split(' ')
    const states = parts.map((part) => report[part].state)
    assert.deepEqual(states, Array(12).fill('well'))
    assert.equal(report.database.engine, engine === 'sqlite' ? 'sqlite' : 'postgres')
    assert.ok(report.storage.free_bytes > 0)
    assert.match(report.version, /^\d+\.\d+\.\d+$/)
  })

  test(`17.2 work that fails or waits is to be watched, and is broken after an hour (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { db } = server.deps
    await enqueue(db, server.clock.now() - 6 * MINUTE_MS, { kind: 'nobody-does-this', payload: {} })
    const late = await readHealth(server)
    assert.deepEqual([late.work.state, late.work.waiting, late.work.failing], ['watch', 1, 0])
    server.clock.advance(60 * MINUTE_MS)
    assert.equal((await readHealth(server)).work.state, 'broken')
  })

  test(`17.32 entries of the audit trail that nobody chains are to be watched after ten minutes, and are broken after an hour (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    await makeLinks(server.deps)
    await recordEvent(server.deps, accountEvents.profile_changed(1))
    const since = new Date((await listWaiting(server.deps.reads, 1))[0]!.at).toISOString()
    for (const [minutes, state] of [
      [0, 'well'],
      [9, 'well'],
      [2, 'watch'],
      [50, 'broken'],
    ] as const) {
      server.clock.advance(minutes * MINUTE_MS)
      assert.deepEqual((await readHealth(server)).audit, { state, waiting_since: since })
    }
    await makeLinks(server.deps)
    const { audit } = await readHealth(server)
    assert.ok(audit.state === 'well' && (audit.waiting_since === null || audit.waiting_since > since))
  })

  test(`17.3 a certified PDF that is gone is named with its collection, until it is back (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
    const id = await sendCollection(ada)
    must(await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Fine' }), 200)
    const { sealed_key } = await server.deps.db.selectFrom('proofs').select('sealed_key').executeTakeFirstOrThrow()
    await rm(join(server.config.dataDir, 'blobs', sealed_key!))
    // Past the round that the server began with.
    server.clock.advance(7 * DAY_MS)
    do await judgeCertified(server.deps)
    while ((await findRound(server.deps.db, 'certified'))?.is_under_way === 1)
    const { files } = await readHealth(server)
    assert.deepEqual([files.state, files.problem_count], ['broken', 1])
    const [{ found_at: foundAt, proof_id: proofId, ...problem }] = files.problems
    assert.deepEqual(problem, {
      what: 'certified',
      collection_id: id,
      title: 'Degree',
      username: 'ada',
      told: 'no file',
    })
    assert.ok(Date.parse(foundAt) > 0 && proofId > 0)
  })

  test(`17.10 a certified PDF that is missing or altered when it is asked for is named at once (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
    const { proofid } = must(
      await sam.post(`/admin/${await sendCollection(ada)}/approve/`, { admin_desc: 'Fine' }),
      200,
    )
    const { sealed_key } = await server.deps.db.selectFrom('proofs').select('sealed_key').executeTakeFirstOrThrow()
    const path = join(server.config.dataDir, 'blobs', sealed_key!)
    for (const [spoil, code, told] of [
      [() => writeFile(path, '%PDF-1.7 another'), 'file_altered', 'altered'],
      [() => rm(path), 'file_missing', 'no file'],
    ] as const) {
      await spoil()
      const given = new URLSearchParams({ proofid, username: 'ada' })
      const answers = [
        await server.stranger.get(`/service-content-servers/get-pdfs/?${given}`),
        await sam.get(`/content-servers/serve/?collection_proofid=${encodeURIComponent(proofid)}`),
      ]
      for (const answer of answers) assert.deepEqual([answer.status, answer.json().code], [500, code])
      const { files } = await readHealth(server)
      assert.deepEqual([files.problems[0].what, files.problems[0].told, files.problem_count], ['certified', told, 1])
    }
  })
}

test('17.1 an installation that others reach, but that has no mail server, is to be watched', async (t) => {
  const server = await startTestServer(t, 'sqlite', { config: { isLocalOnly: false } })
  assert.equal((await readHealth(server)).mail.state, 'watch')
})

test('17.4 where a signed head is ahead of the database, the log is broken (sqlite)', async (t) => {
  const server = await startTestServer(t, 'sqlite')
  server.deps.log.mustBeWhole = () => {
    throw new Error('behind')
  }
  assert.equal((await readHealth(server)).log.state, 'broken')
})

async function startWithToken(t: TestContext, token?: string) {
  const server = await startTestServer(t, 'sqlite', { config: token === undefined ? {} : { metricsToken: token } })
  return (headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') =>
    server.app.inject({ url: '/metrics', headers, remoteAddress })
}

test('17.5 programs on this machine read /metrics, nobody else does, also not by a proxy on it', async (t) => {
  const read = await startWithToken(t)
  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1'])
    assert.equal((await read({}, address)).statusCode, 200)
  for (const headers of [
    { 'x-forwarded-for': '127.0.0.1' },
    { 'x-forwarded-proto': 'https' },
    { forwarded: 'for=127.0.0.1' },
  ])
    assert.equal((await read(headers)).statusCode, 404)
  assert.equal((await read({}, '192.0.2.7')).statusCode, 404)
  assert.equal((await read({ authorization: 'Bearer undefined' }, '192.0.2.7')).statusCode, 404)
})

test('17.6 from elsewhere /metrics wants the token that was set', async (t) => {
  const token = 'metrics-token-of-this-test'
  const read = await startWithToken(t, token)
  assert.equal((await read({ authorization: `Bearer ${token}` }, '192.0.2.7')).statusCode, 200)
  for (const given of [`Bearer ${token}x`, token, 'Bearer ', ''])
    assert.equal((await read({ authorization: given }, '192.0.2.7')).statusCode, 404)
})

test('17.7 /metrics counts requests by route, and holds no name, title or address', async (t) => {
  const server = await startTestServer(t, 'sqlite')
  const ada = await server.signIn('ada')
  const id = await sendCollection(ada)
  await ada.get(`/collections/${id}`)
  const { body, headers } = await server.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' })
  assert.match(String(headers['content-type']), /^text\/plain; version=0\.0\.4/)
  assert.equal(headers['cache-control'], 'no-store')
  assert.match(
    body,
    /^proofdesk_http_request_duration_seconds_count\{method="GET",route="[^"]*collections\/:id",status="200"\} 1$/m,
  )
  for (const line of [
    /^proofdesk_part_state\{part="database"\} 1$/m,
    /^proofdesk_log_entries \d+$/m,
    /^proofdesk_part_state\{part="release"\} 1$/m,
    /^proofdesk_certificate_left_seconds\{certificate="authority"\} \d+/m,
    /^proofdesk_processes\{version="[\d.]+"\} 1$/m,
    /^process_cpu_seconds_total /m,
  ])
    assert.match(body, line)
  assert.doesNotMatch(body, /ada|Degree|127\.0\.0\.1/)
})
