import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'
import { API_BASE } from '@proofdesk/contract/route'
import { openBucket } from '../blobs/s3/bucket.ts'
import { openLogger } from '../logger.ts'
import { endAfter } from '../span.ts'
import { ENGINES, startTestServer, TEST_PASSWORD, type TestEngine, type TestServer } from '../testing.ts'
import { must } from '../testing/collections.ts'
import { startCollector, type ReceivedSpan, type TestCollector } from '../testing/collector.ts'
import { findFreePort } from '../testing/free-ports.ts'
import { startMailServer } from '../testing/mail-server.ts'
import { makePdf } from '../testing/small-files.ts'
import { waitUntil } from '../testing/wait-until.ts'
import { openTracing } from './open-tracing.ts'
import { parseTraceparent } from './parse-traceparent.ts'

const TITLE = 'Geheimtitel'
const FILE_NAME = 'geheimdatei.pdf'
const REASON = 'Geheimgrund'

async function startTraced(t: TestContext, engine: TestEngine, config: Partial<TestServer['config']> = {}) {
  const collector = await startCollector(t)
  const server = await startTestServer(t, engine, { config: { tracing: collector.settings, ...config } })
  return { server, collector }
}

/** Sends what waits and looks at it; nothing is traced afterwards. */
async function readSpans({ deps }: TestServer, collector: TestCollector): Promise<ReceivedSpan[]> {
  await deps.tracing?.close()
  return collector.spans()
}

/** Creates, uploads, sends and approves, over real connections. @returns tokens that were used. */
async function approveOverHttp(server: TestServer): Promise<string[]> {
  const url = await server.listen()
  const [ada, sam] = [await server.signIn('quirina'), await server.signIn('zebulon', { is_staff: true })]
  const ask = async (token: string | undefined, path: string, body: unknown) => {
    const isForm = body instanceof FormData
    const answer = await fetch(`${url}${API_BASE}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, ...(!isForm && { 'content-type': 'application/json' }) },
      body: isForm ? body : JSON.stringify(body),
    })
    const answered = await answer.text()
    assert.ok(answer.ok, `${path} ${answer.status} ${answered}`)
    return answered === '' ? {} : (JSON.parse(answered) as { id: number })
  }
  const { id } = (await ask(ada.access, '/collections/?note=geheimfrage', { title: TITLE })) as { id: number }
  const form = new FormData()
  form.set('collection', String(id))
  form.set('file', new Blob([new Uint8Array(makePdf())], { type: 'application/pdf' }), FILE_NAME)
  await ask(ada.access, '/contents/', form)
  await ask(ada.access, `/collections/${id}/save/`, {})
  await server.settle()
  await ask(sam.access, `/admin/${id}/approve/`, { admin_desc: REASON })
  await server.settle()
  return [ada, sam].flatMap(({ access = '', refresh = '' }) => [access, refresh])
}

for (const engine of ENGINES) {
  test(`17.20 17.21 each request is a span, and what it asks and what follows it are steps in it (${engine})`, async (t) => {
    const mail = await startMailServer(t)
    const { server, collector } = await startTraced(t, engine, { smtpUrl: mail.url })
    const tokens = await approveOverHttp(server)
    assert.ok(mail.received.length > 0)
    const spans = await readSpans(server, collector)

    const byId = new Map(spans.map((span) => [span.spanId, span]))
    const lost = spans.filter(({ parentSpanId }) => parentSpanId !== undefined && !byId.has(parentSpanId))
    assert.deepEqual(lost, [], 'each step stands in a span that came too')
    const astray = spans.filter(
      ({ parentSpanId, traceId }) => traceId !== (byId.get(parentSpanId ?? '')?.traceId ?? traceId),
    )
    assert.deepEqual(astray, [])
    const roots = spans.filter(({ parentSpanId }) => parentSpanId === undefined)
    assert.deepEqual(
      [...new Set(roots.map(({ name }) => name))].filter((name) => !name.startsWith('POST ')),
      [],
      'work of the outbox belongs to who asked for it',
    )

    // whose turn it is is asked for whoever hands work in
    const isLook = (sent: string): boolean => / due_at <= \?/.test(sent) && !sent.includes('min(turn)')
    const looks = spans.filter(({ facts }) => isLook(facts['db.query.text'] ?? ''))
    assert.deepEqual(looks, [], 'looking for work is no step of whoever rang')

    const findTrace = (root: string) => {
      const found = roots.find(({ name }) => name === root)
      assert.ok(found, root)
      return spans.filter(({ traceId }) => traceId === found.traceId)
    }
    const upload = findTrace(`POST ${API_BASE}/contents/`)
    assert.ok(upload.some(({ name }) => name === 'certify inspect'))
    assert.ok(upload.some(({ name }) => name === 'insert contents'))
    const approval = findTrace(`POST ${API_BASE}/admin/:id/approve/`)
    for (const name of ['certify build', 'certify seal', 'SMTP send'])
      assert.equal(approval.filter((span) => span.name === name).length, 1, name)
    const work = approval.filter(({ facts }) => facts['work.kind'] !== undefined)
    assert.ok(work.length >= 2, 'sealing, and a mail')
    const [first] = approval.filter(({ parentSpanId }) => parentSpanId === undefined)
    assert.deepEqual(first?.facts, {
      'http.request.method': 'POST',
      'http.route': `${API_BASE}/admin/:id/approve/`,
      'http.response.status_code': '200',
    })

    const all = collector.received.join('\n')
    const people = ['quirina', 'zebulon', '@example.org', '127.0.0.1', 'Test Person', '+44 20']
    for (const secret of [TITLE, FILE_NAME, 'geheimdatei', REASON, 'geheimfrage', TEST_PASSWORD, ...tokens, ...people])
      assert.ok(!all.toLowerCase().includes(secret.toLowerCase()), secret)
    const allowed =
      /^(http\.(request\.method|route|response\.status_code)|db\.(system\.name|query\.text)|rpc\.(system|method)|certify\.kind|work\.(kind|attempts)|error\.type)$/
    assert.deepEqual(
      [...new Set(spans.flatMap(({ facts }) => Object.keys(facts)))].filter((key) => !allowed.test(key)),
      [],
    )
    for (const { facts } of spans) assert.doesNotMatch((facts['db.query.text'] ?? '').replaceAll("'…'", ''), /'|\$\d/)
    const [resource = {}] = collector.resources()
    assert.deepEqual(Object.keys(resource).toSorted(), ['service.instance.id', 'service.name', 'service.version'])
  })

  test(`17.25 lines of the log carry the trace that they belong to (${engine})`, async (t) => {
    const { server, collector } = await startTraced(t, engine)
    await approveOverHttp(server)
    const spans = await readSpans(server, collector)
    const lines = server.logLines.map((line) => JSON.parse(line) as Record<string, unknown>)
    const requests = lines.filter(({ event }) => event === 'request')
    assert.ok(requests.length >= 4)
    for (const { trace_id: traceId, route, method } of requests)
      assert.ok(
        spans.some((span) => span.traceId === traceId && span.name === `${String(method)} ${String(route)}`),
        String(route),
      )
  })
}

test('17.20 what follows a body that comes late are steps of its request too', async (t) => {
  const { server, collector } = await startTraced(t, 'sqlite')
  const ada = await server.signIn('ada')
  const url = await server.listen()
  const body = JSON.stringify({ title: TITLE })
  const asking = request(`${url}${API_BASE}/collections/`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${ada.access}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    },
  })
  const head = once(server.app.server, 'request')
  asking.flushHeaders()
  await head
  const answered = once(asking, 'response')
  asking.end(body)
  const [answer] = (await answered) as [IncomingMessage]
  assert.equal(answer.statusCode, 201)
  await text(answer)
  await waitUntil(() => server.logLines.some((line) => line.includes('/collections/') && line.includes('201')))
  const spans = await readSpans(server, collector)
  const root = spans.find(({ name }) => name === `POST ${API_BASE}/collections/`)
  const made = spans.find(({ name }) => name === 'insert collections')
  assert.ok(root && made)
  assert.equal(made.parentSpanId, root.spanId)
})

test('17.20 a failing request and a failing statement are marked, by short names alone', async (t) => {
  const { server, collector } = await startTraced(t, 'sqlite')
  const ada = await server.signIn('ada')
  await server.deps.db.schema.dropTable('comments').execute()
  assert.equal((await ada.get('/nothing-there')).status, 404)
  const { id } = must(await ada.post('/collections/', { title: TITLE }), 201)
  assert.equal((await ada.post('/comments/', { collection: id, text: 'Geheim' })).status, 500)
  const spans = await readSpans(server, collector)
  const failed = spans.filter(({ hasFailed }) => hasFailed)
  assert.deepEqual(
    failed.map(({ name, facts }) => [name, facts['error.type']]),
    [
      ['insert comments', 'ERR_SQLITE_ERROR'],
      [`POST ${API_BASE}/comments/`, '500'],
    ],
  )
  assert.ok(spans.some(({ name, facts }) => name === 'GET none' && facts['http.response.status_code'] === '404'))
  assert.ok(!collector.received.join('').includes('nothing-there'))
})

test('17.23 a trusted proxy says which trace a request belongs to, and nobody else', async (t) => {
  const { server, collector } = await startTraced(t, 'sqlite', { trustProxy: ['192.0.2.0/24', '2001:db8::7'] })
  const ask = (remoteAddress: string, digit: string, flags = '01') =>
    server.inject({
      url: `${API_BASE}/auth/providers/`,
      remoteAddress,
      headers: { traceparent: `00-${digit.repeat(32)}-${'9'.repeat(16)}-${flags}` },
    })
  await ask('192.0.2.4', 'a')
  await ask('::ffff:192.0.2.5', 'b')
  await ask('2001:db8::7', 'c')
  await ask('192.0.3.4', 'd')
  await ask('127.0.0.1', 'e')
  // Not sampled there: not here either.
  await ask('192.0.2.4', 'f', '00')
  await ask('192.0.2.4', 'Z')
  const requests = (await readSpans(server, collector)).filter(({ name }) => name.startsWith('GET '))
  const told = requests.map(({ traceId, parentSpanId }) => [
    traceId[0]?.repeat(32) === traceId ? traceId[0] : '',
    parentSpanId,
  ])
  const outside = '9'.repeat(16)
  assert.deepEqual(told, [
    ['a', outside],
    ['b', outside],
    ['c', outside],
    ['', undefined],
    ['', undefined],
    ['', undefined],
  ])
})

test('17.23 what is no traceparent is none', () => {
  const [trace, span] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
  assert.deepEqual(parseTraceparent(`00-${trace}-${span}-01`), {
    traceId: trace,
    spanId: span,
    traceFlags: 1,
    isRemote: true,
  })
  assert.equal(parseTraceparent(`cc-${trace}-${span}-01-what-comes-later`)?.traceId, trace)
  for (const wrong of [
    undefined,
    '',
    `00-${trace}-${span}`,
    `00-${trace}-${span}-01-more`,
    `ff-${trace}-${span}-01`,
    `00-${'0'.repeat(32)}-${span}-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `00-${trace.toUpperCase()}-${span}-01`,
    `00-${trace}-${span}-01\n`,
  ])
    assert.equal(parseTraceparent(wrong), undefined, String(wrong))
})

test('17.20 a request to a store is a step, named by its kind alone', async (t) => {
  const collector = await startCollector(t)
  const store = createServer((_request, reply) => void reply.writeHead(404).end()).listen(0, '127.0.0.1')
  await once(store, 'listening')
  t.after(() => void store.close())
  const { port } = store.address() as AddressInfo
  const bucket = openBucket({
    bucket: 'geheimeimer',
    prefix: '',
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'geheimname', secretAccessKey: 'geheimwort' },
  })
  const tracing = openTracing(collector.settings, openLogger('silent'))
  const { HeadBucketCommand } = await import('@aws-sdk/client-s3')
  const span = tracing.begin('work x', {}, { kind: 'work', traceparent: undefined })
  const asking = endAfter(span, () =>
    bucket.ask('HeadBucket', (client) => client.send(new HeadBucketCommand({ Bucket: bucket.name }))),
  )
  await assert.rejects(asking)
  await tracing.close()
  const [step, root] = collector.spans()
  assert.deepEqual([step?.name, step?.parentSpanId], ['S3 HeadBucket', root?.spanId])
  assert.deepEqual(step?.facts, { 'rpc.system': 'aws-api', 'rpc.method': 'HeadBucket', 'error.type': 'NotFound' })
  assert.doesNotMatch(collector.received.join(''), /geheim/)
})

test('17.24 a collector that refuses is logged once, and once more when it takes traces again', async (t) => {
  const collector = await startCollector(t)
  const lines: string[] = []
  const logger = openLogger('info', (line) => lines.push(line))
  collector.behave((reply) => void reply.writeHead(400).end())
  const tracing = openTracing(collector.settings, logger)
  const more = async (count: number) => {
    const before = collector.headers.length
    // As many as make a batch at once.
    for (let at = 0; at < 512; at++) tracing.begin('work x', {}, { kind: 'work', traceparent: undefined }).end()
    await waitUntil(() => collector.headers.length === before + 1)
    await waitUntil(() => lines.length === count)
  }
  await more(1)
  await more(1)
  await more(1)
  collector.behave(null)
  await more(2)
  await more(2)
  await tracing.close()
  assert.deepEqual(
    lines.map((line) => [JSON.parse(line).level, JSON.parse(line).event, JSON.parse(line).reason]),
    [
      ['warn', 'traces do not reach the collector', 'HTTP 400'],
      ['info', 'traces reach the collector again', undefined],
    ],
  )
})

for (const [what, behaves] of [
  ['is away', 'away'],
  ['hangs', 'hangs'],
] as const)
  test(`17.24 a collector that ${what} harms no request, and the server ends in time`, async (t) => {
    const collector = await startCollector(t)
    const url = behaves === 'away' ? `http://127.0.0.1:${await findFreePort()}/v1/traces` : collector.settings.url
    collector.behave(() => {})
    const { settings } = collector
    const server = await startTestServer(t, 'sqlite', { config: { tracing: { ...settings, url } } })
    const ada = await server.signIn('ada')
    for (let at = 0; at < 200; at++) assert.equal((await ada.get('/collections/')).status, 200)
    const begun = performance.now()
    await server.deps.tracing?.close()
    assert.ok(performance.now() - begun < 4000)
    assert.equal((await ada.get('/collections/')).status, 200)
  })

test('17.27 a part of the traces is kept where that is set, each whole or not at all', async (t) => {
  const collector = await startCollector(t)
  const tracing = openTracing({ ...collector.settings, ratio: 0.25 }, openLogger('silent'))
  for (let at = 0; at < 400; at++) {
    const root = tracing.begin('work x', {}, { kind: 'work', traceparent: undefined })
    root.begin('step', {}).end()
    root.end()
  }
  await tracing.close()
  const spans = collector.spans()
  const kept = spans.filter(({ parentSpanId }) => parentSpanId === undefined).length
  assert.ok(kept > 50 && kept < 160, String(kept))
  assert.equal(spans.length, 2 * kept)
})

test('17.24 the collector is told what its headers are to be', async (t) => {
  const collector = await startCollector(t)
  const tracing = openTracing({ ...collector.settings, headers: { 'x-team': 'proof, desk' } }, openLogger('silent'))
  tracing.begin('work x', {}, { kind: 'work', traceparent: undefined }).end()
  await tracing.close()
  assert.equal(collector.headers[0]?.['x-team'], 'proof, desk')
  assert.equal(collector.headers[0]?.['content-type'], 'application/json')
})
