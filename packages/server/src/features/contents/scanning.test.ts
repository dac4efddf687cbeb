import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { expectWithin } from '@proofdesk/certify/testing'
import { openScanner } from '../../antivirus/scanner.ts'
import { ENGINES, startTestServer, type TestClient, type TestEngine, type TestServer } from '../../testing.ts'
import { EICAR, EICAR_SIGNATURE, startClamd, type TestClamd } from '../../testing/clamd.ts'
import { addFile, must, openCollection } from '../../testing/collections.ts'
import { makeJpeg, makePdf, makePng } from '../../testing/small-files.ts'
import { listExpectedFiles, listStoredFiles } from '../../testing/stored-files.ts'
import { waitUntil } from '../../testing/wait-until.ts'

const MB = 1024 * 1024

interface Scanned {
  clamd: TestClamd
  server: TestServer
  ada: TestClient
  /** Of hers. */
  collection: number
  upload(bytes: Uint8Array, name?: string): ReturnType<TestClient['upload']>
}

/** @returns undefined where there is no clamd. */
async function startScanned(
  t: TestContext,
  { engine = 'sqlite', settings = [] }: { engine?: TestEngine; settings?: string[] } = {},
): Promise<Scanned | undefined> {
  const clamd = await startClamd(t, ...settings)
  if (!clamd) return undefined
  const server = await startTestServer(t, engine, { config: { clamd: clamd.address } })
  const ada = await server.signIn('ada')
  const collection = await openCollection(ada)
  return {
    clamd,
    server,
    ada,
    collection,
    upload: (bytes, name = 'my-diploma.pdf') =>
      ada.upload('/contents/', { collection: String(collection) }, { name, bytes }),
  }
}

/** A PDF that is read by everybody, with the string in its middle. */
function makeInfectedPdf(padBytes: number): Buffer {
  const pdf = makePdf(1, 'Proofdesk', padBytes)
  EICAR.copy(pdf, Math.floor(pdf.length / 2))
  return pdf
}

async function expectNothingKept(server: TestServer): Promise<void> {
  await server.settle()
  assert.deepEqual(await listStoredFiles(server), await listExpectedFiles(server))
  assert.deepEqual(await server.deps.db.selectFrom('contents').select('id').execute(), [])
  assert.deepEqual(await server.deps.db.selectFrom('blob_intents').selectAll().execute(), [])
}

function expectInfected(answer: Awaited<ReturnType<TestClient['upload']>>): void {
  const { code, detail, file } = must(answer, 400)
  assert.deepEqual([code, file], ['file_infected', [detail]])
  assert.match(detail, /^The virus scanner found something harmful/)
}

test('20.2 harmless files pass and are kept as they were sent', async (t) => {
  const scanned = await startScanned(t)
  if (!scanned) return
  const { ada, upload } = scanned
  for (const bytes of [makePdf(), makePng(), makeJpeg(), makePdf(1, 'Proofdesk', 20 * MB)]) {
    const { id } = must(await upload(bytes), 201)
    assert.ok((await ada.get(`/contents/serve/?content_id=${id}`)).bytes.equals(bytes))
  }
})

test('20.3 a find is refused wherever it is in a file, and nothing of the file is kept', async (t) => {
  const scanned = await startScanned(t)
  if (!scanned) return
  const { server, upload } = scanned
  const png = Buffer.concat([makePng(), EICAR])
  for (const [name, bytes] of [
    ['a.pdf', Buffer.concat([makePdf(), Buffer.from('\n%'), EICAR, Buffer.from('\n')])],
    ['a.png', png],
    ['large.pdf', makeInfectedPdf(20 * MB)],
  ] as const)
    expectInfected(await upload(bytes, name))
  await expectNothingKept(server)
  // They are refused for what the scanner found, and for nothing else.
  server.deps.scanner = undefined
  must(await upload(png, 'a.png'), 201)
  must(await upload(makeInfectedPdf(MB), 'large.pdf'), 201)
})

test('20.3 clamd is reached by its socket, too', async (t) => {
  const scanned = await startScanned(t)
  if (!scanned) return
  const { server, clamd, upload } = scanned
  server.deps.scanner = openScanner(clamd.socket, server.deps.logger)
  expectInfected(await upload(makeInfectedPdf(3 * MB)))
  must(await upload(makePdf()), 201)
})

test('20.4 a file that is put in the place of another is scanned alike, and the other stays', async (t) => {
  const scanned = await startScanned(t)
  if (!scanned) return
  const { ada, collection } = scanned
  const id = await addFile(ada, collection)
  const replace = (bytes: Uint8Array) => ada.upload(`/contents/${id}/replace/`, {}, { name: 'b.pdf', bytes })
  expectInfected(await replace(makeInfectedPdf(MB)))
  assert.ok((await ada.get(`/contents/serve/?content_id=${id}`)).bytes.equals(makePdf()))
  must(await replace(makePdf(2)), 200)
})

test('20.5 a find is told before anything else that is wrong with a file', async (t) => {
  const scanned = await startScanned(t)
  if (!scanned) return
  for (const bytes of [EICAR, Buffer.concat([Buffer.from('%PDF-1.7\n'), EICAR])])
    expectInfected(await scanned.upload(bytes))
  assert.equal(must(await scanned.upload(Buffer.from('just some words')), 415).code, 'file_unsupported_type')
})

for (const engine of ENGINES) {
  test(`20.6 a find is logged and recorded by its signature, without the file’s name (${engine})`, async (t) => {
    const scanned = await startScanned(t, { engine })
    if (!scanned) return
    const { server, collection, upload } = scanned
    expectInfected(await upload(makeInfectedPdf(MB)))
    const sue = await server.signIn('sue', { is_superuser: true })
    const [entry] = must(await sue.get('/audit/?action=malware_found'), 200).results
    assert.deepEqual(
      [entry.actor.username, entry.object.kind, entry.object.id, entry.collection, entry.details],
      ['ada', 'collection', collection, collection, { signature: EICAR_SIGNATURE }],
    )
    const lines = server.logLines.filter((line) => line.includes('virus scanner'))
    assert.equal(lines.length, 1)
    assert.match(lines[0] ?? '', new RegExp(`"signature":"${EICAR_SIGNATURE}"`))
    assert.doesNotMatch([...server.logLines, JSON.stringify(entry.details)].join(), /my-diploma/)
  })
}

test('20.7 while the scanner stands still an upload waits, and passes once it goes on', async (t) => {
  const scanned = await startScanned(t)
  if (!scanned) return
  const { clamd, server, upload } = scanned
  clamd.pause()
  let isAnswered = false
  const [harmless, infected] = [makePdf(), makeInfectedPdf(MB)].map((bytes) =>
    upload(bytes).finally(() => {
      isAnswered = true
    }),
  )
  // By the time another server has taken a file, that of this one is long read.
  const other = await startTestServer(t)
  await addFile(await other.signIn('eve'), await openCollection(await other.signIn('eve')))
  assert.equal(isAnswered, false)
  assert.deepEqual(await server.deps.db.selectFrom('contents').select('id').execute(), [])
  clamd.resume()
  must(await harmless!, 201)
  expectInfected(await infected!)
})

test('20.7 while the scanner is away an upload waits, and passes once it is back', async (t) => {
  const scanned = await startScanned(t)
  if (!scanned) return
  const { clamd, server, upload } = scanned
  await clamd.halt()
  const sent = upload(makePdf())
  await waitUntil(() => server.logLines.some((line) => line.includes('gave no verdict')))
  await clamd.start()
  must(await sent, 201)
})

test('20.8 who waited in vain is answered 503 with Retry-After, and nothing is kept', async (t) => {
  const scanned = await startScanned(t)
  if (!scanned) return
  const { clamd, server, upload } = scanned
  server.deps.scanner = openScanner(clamd.address, server.deps.logger, 500)
  const expectRefusal = async () => {
    const answer = await upload(makePdf())
    assert.equal(must(answer, 503).code, 'scanner_unavailable')
    assert.equal(answer.headers['retry-after'], '30')
    await expectNothingKept(server)
  }
  clamd.pause()
  await expectRefusal()
  await clamd.halt()
  await expectRefusal()
  // One that is refused for itself does not wait for the scanner as long as one that may pass.
  server.deps.scanner = openScanner(clamd.address, server.deps.logger, 60_000)
  const began = performance.now()
  assert.equal(must(await upload(Buffer.from('just some words')), 415).code, 'file_unsupported_type')
  expectWithin(performance.now() - began, 10_000, 'a refusal while the scanner is away')
  await clamd.start()
  must(await upload(makePdf()), 201)
})

test('20.9 a file that the scanner does not take whole is refused, and the log says which setting is in the way', async (t) => {
  const scanned = await startScanned(t, { settings: ['StreamMaxLength 2M', 'MaxFileSize 1M'] })
  if (!scanned) return
  const { server, upload } = scanned
  for (const [size, limit] of [
    [8, 'StreamMaxLength'],
    [1.5, 'MaxFileSize'],
  ] as const) {
    const { code, detail, file } = must(await upload(makePdf(1, 'Proofdesk', size * MB)), 413)
    assert.deepEqual([code, file], ['file_too_large_to_scan', [detail]])
    assert.match(
      server.logLines.findLast((line) => line.includes('virus scanner')) ?? '',
      new RegExp(`"limit":"${limit}"`),
    )
  }
  await expectNothingKept(server)
  must(await upload(makePdf()), 201)
})

test('20.12 superusers see whether the scanner answers, its version and how old its signatures are', async (t) => {
  const scanned = await startScanned(t)
  if (!scanned) return
  const { clamd, server } = scanned
  const sue = await server.signIn('sue', { is_superuser: true })
  const read = async () => must(await sue.get('/health/'), 200).antivirus
  const { version, ...rest } = await read()
  assert.match(version, /^ClamAV \d+\.\d+/)
  // It has no official signatures.
  assert.deepEqual(rest, { state: 'watch', is_set: true, signatures_at: null })
  await clamd.halt()
  assert.deepEqual(await read(), { state: 'broken', is_set: true, version: null, signatures_at: null })
})

test('20.13 without the scanner a server is ready: all but uploads goes on', async (t) => {
  const scanned = await startScanned(t)
  if (!scanned) return
  const { clamd, server, ada } = scanned
  await clamd.halt()
  assert.equal((await server.inject({ url: '/readyz' })).statusCode, 200)
  must(await ada.get('/collections/'), 200)
})
