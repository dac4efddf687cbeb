import assert from 'node:assert/strict'
import { createReadStream, existsSync } from 'node:fs'
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'node:test'
import { CertifyError } from '@proofdesk/certify/errors'
import { API_BASE } from '@proofdesk/contract/route'
import { AppError } from '../../errors.ts'
import { ENGINES, startTestServer, type TestClient, type TestServer } from '../../testing.ts'
import { must, openCollection } from '../../testing/collections.ts'
import { makePdf } from '../../testing/small-files.ts'
import { listExpectedFiles, listStoredFiles } from '../../testing/stored-files.ts'
import { inspectFile } from './store-file.ts'

const field = (name: string, value: string) =>
  `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const FILE_HEAD = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n'
const END = '\r\n--b--\r\n'

interface Sending {
  request: ClientRequest
  answer: Promise<{ status: number; body: string }>
}

/** Begins an upload over a real connection; the body is written piece by piece. */
async function beginUpload(server: TestServer, who: TestClient): Promise<Sending> {
  const request = httpRequest(`${await listenOnce(server)}${API_BASE}/contents/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${who.access}`, 'content-type': 'multipart/form-data; boundary=b' },
  })
  const answer = once(request, 'response').then(async ([response]: IncomingMessage[]) => {
    assert.ok(response)
    let body = ''
    for await (const chunk of response) body += String(chunk)
    return { status: response.statusCode ?? 0, body }
  })
  answer.catch(() => {})
  request.on('error', () => {})
  return { request, answer }
}

const urls = new WeakMap<TestServer, Promise<string>>()
function listenOnce(server: TestServer): Promise<string> {
  const url = urls.get(server) ?? server.listen()
  urls.set(server, url)
  return url
}

/** Waits until nothing that should not be there is there any more. */
async function expectNothingLeft(server: TestServer): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    await server.settle()
    const stored = await listStoredFiles(server)
    const expected = await listExpectedFiles(server)
    const intents = await server.deps.db.selectFrom('blob_intents').selectAll().execute()
    if (stored.length === expected.length && intents.length === 0) break
    assert.ok(tries < 100, `left behind: ${stored.join(' ')}`)
    await sleep(50)
  }
  assert.deepEqual(await listStoredFiles(server), await listExpectedFiles(server))
}

async function waitForIncoming(server: TestServer): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if ((await listStoredFiles(server)).some((path) => path.startsWith('incoming'))) return
    await sleep(10)
  }
  assert.fail('the file never began to arrive')
}

for (const engine of ENGINES) {
  test(`uploads over a real connection (${engine})`, async (t) => {
    const server = await startTestServer(t, engine, { maxUploadMb: 2 })
    const ada = await server.signIn('ada')
    const eve = await server.signIn('eve')
    const collection = await openCollection(ada)
    const pdf = makePdf(1, 'x', 500_000)

    await t.test('that break off in the middle of the file leave nothing behind', async () => {
      const { request } = await beginUpload(server, ada)
      request.write(field('collection', String(collection)) + FILE_HEAD)
      request.write(pdf.subarray(0, 300_000))
      await waitForIncoming(server)
      request.destroy()
      await expectNothingLeft(server)
    })

    await t.test('that break off before and after the file leave nothing behind', async () => {
      const early = await beginUpload(server, ada)
      early.request.write(field('collection', String(collection)))
      await sleep(50)
      early.request.destroy()
      const late = await beginUpload(server, ada)
      late.request.write(field('collection', String(collection)) + FILE_HEAD)
      late.request.write(pdf)
      await waitForIncoming(server)
      late.request.destroy()
      await expectNothingLeft(server)
    })

    await t.test('that are lost after their last byte, before the answer, leave nothing behind', async () => {
      const counted = async () => must(await ada.get(`/collections/${collection}`), 200).content_count
      for (const moment of ['before it is stored', 'after']) {
        const before = await counted()
        const { request } = await beginUpload(server, ada)
        const { blobs } = server.deps
        const putFile = blobs.putFile
        const { promise: isStored, resolve } = Promise.withResolvers<void>()
        // By then all of it has come, and been checked.
        blobs.putFile = async (key, path) => {
          if (moment === 'after') await putFile(key, path)
          request.destroy()
          await sleep(100)
          if (moment !== 'after') await putFile(key, path)
          resolve()
        }
        request.end(
          Buffer.concat([Buffer.from(field('collection', String(collection)) + FILE_HEAD), pdf, Buffer.from(END)]),
        )
        await isStored
        blobs.putFile = putFile
        await expectNothingLeft(server)
        assert.equal(await counted(), before)
      }
    })

    const idOf = (said: string): number => JSON.parse(said).id
    const writeUpload = (uploadId: string) =>
      Buffer.concat([
        Buffer.from(field('upload_id', uploadId) + field('collection', String(collection)) + FILE_HEAD),
        pdf,
        Buffer.from(END),
      ])

    await t.test('7.33 that are sent twice under one upload id are there once, also at once', async () => {
      const counted = async () => must(await ada.get(`/contents/?collection=${collection}`), 200).count
      const before = await counted()
      const sendings = await Promise.all([beginUpload(server, ada), beginUpload(server, ada)])
      for (const { request } of sendings) request.end(writeUpload('a'.repeat(32)))
      const answers = await Promise.all(sendings.map(({ answer }) => answer))
      assert.deepEqual(
        answers.map(({ status }) => status),
        [201, 201],
      )
      const later = await beginUpload(server, ada)
      later.request.end(writeUpload('a'.repeat(32)))
      const ids = [...answers, await later.answer].map(({ body }) => idOf(body))
      assert.equal(new Set(ids).size, 1, ids.join(' '))
      assert.equal(await counted(), before + 1)
      assert.equal(must(await ada.get(`/collections/${collection}`), 200).content_count, before + 1)
      const other = await openCollection(ada)
      const elsewhere = await ada.upload(
        '/contents/',
        { upload_id: 'a'.repeat(32), collection: String(other) },
        { name: 'a.pdf', bytes: pdf },
      )
      assert.equal(must(elsewhere, 201).upload_id, 'a'.repeat(32))
      await expectNothingLeft(server)
    })

    await t.test(
      'that are sent again after their collection was sent or filled are answered with what is there',
      async () => {
        const files = { name: 'a.pdf', bytes: pdf }
        const sent = await openCollection(ada)
        const fields = { upload_id: 'd'.repeat(32), collection: String(sent) }
        const { id } = must(await ada.upload('/contents/', fields, files), 201)
        must(await ada.post(`/collections/${sent}/save/`), 200)
        assert.equal(must(await ada.upload('/contents/', fields, files), 201).id, id)
        const other = { ...fields, upload_id: 'e'.repeat(32) }
        assert.equal((await ada.upload('/contents/', other, files)).json().code, 'collection_not_open')

        const full = await openCollection(ada)
        const first = { ...fields, collection: String(full) }
        const kept = must(await ada.upload('/contents/', first, files), 201).id
        await server.deps.db.updateTable('collections').set({ content_count: 100 }).where('id', '=', full).execute()
        assert.equal(must(await ada.upload('/contents/', first, files), 201).id, kept)
        const more = { ...first, upload_id: 'f'.repeat(32) }
        assert.equal((await ada.upload('/contents/', more, files)).json().code, 'collection_full')
        await expectNothingLeft(server)
      },
    )

    await t.test('that are lost after their last byte are there by their upload id, once when sent again', async () => {
      const { request } = await beginUpload(server, ada)
      const { blobs } = server.deps
      const putFile = blobs.putFile
      const { promise: isStored, resolve } = Promise.withResolvers<void>()
      blobs.putFile = async (key, path) => {
        request.destroy()
        await sleep(100)
        await putFile(key, path)
        resolve()
      }
      request.end(writeUpload('b'.repeat(32)))
      await isStored
      blobs.putFile = putFile
      const again = await beginUpload(server, ada)
      again.request.end(writeUpload('b'.repeat(32)))
      const id = idOf((await again.answer).body)
      const { results } = must(await ada.get(`/contents/?collection=${collection}`), 200)
      const found = results.filter((content: { upload_id: string | null }) => content.upload_id === 'b'.repeat(32))
      assert.deepEqual(
        found.map((content: { id: number }) => content.id),
        [id],
      )
      await expectNothingLeft(server)
    })

    await t.test('whose checking process is killed leave nothing behind, and the next one is taken', async () => {
      const body = Buffer.concat([
        Buffer.from(field('collection', String(collection)) + FILE_HEAD),
        pdf,
        Buffer.from(END),
      ])
      const killing = setInterval(() => {
        for (const pid of server.deps.certify.processIds()) process.kill(pid, 'SIGKILL')
      }, 5)
      const lost = await beginUpload(server, ada)
      lost.request.end(body)
      const { status, body: said } = await lost.answer
      clearInterval(killing)
      assert.notEqual(status, 201, said)
      await expectNothingLeft(server)
      const next = await beginUpload(server, ada)
      next.request.end(body)
      assert.equal((await next.answer).status, 201)
      await expectNothingLeft(server)
    })

    await t.test('into what is not the sender’s are refused before the file is read', async () => {
      const { request, answer } = await beginUpload(server, eve)
      request.write(field('collection', String(collection)) + FILE_HEAD)
      // The rest never comes.
      const { status, body } = await answer
      assert.equal(status, 404, body)
      request.destroy()
      await expectNothingLeft(server)
    })

    await t.test('into what nothing may be added to any more are refused before the file is read', async () => {
      const sent = await openCollection(ada)
      must(await ada.post(`/collections/${sent}/save/`), 200)
      const { request, answer } = await beginUpload(server, ada)
      request.write(field('collection', String(sent)) + FILE_HEAD)
      request.write(pdf.subarray(0, 100_000))
      // The rest never comes.
      const { status, body } = await answer
      assert.deepEqual([status, JSON.parse(body).code], [409, 'collection_not_open'])
      request.destroy()
      await expectNothingLeft(server)
    })

    await t.test('that are too large are answered and no longer read', async () => {
      const { request, answer } = await beginUpload(server, ada)
      request.write(field('collection', String(collection)) + FILE_HEAD)
      let sentBytes = 0
      const endless = createReadStream('/dev/zero', { highWaterMark: 65_536 })
      endless.on('data', (chunk) => (sentBytes += chunk.length))
      endless.on('error', () => {})
      endless.pipe(request)
      const { status, body } = await answer
      assert.equal(status, 413, body)
      assert.match(body, /At most 2 MB/)
      // Within a few seconds the server hangs up on whoever goes on all the same, in the middle of a write or between two.
      const broken: unknown[] = []
      request.on('error', ({ code }: NodeJS.ErrnoException) => broken.push(code))
      await new Promise<void>((resolve) => request.once('close', () => resolve()))
      assert.ok(broken.every((code) => code === 'ECONNRESET' || code === 'EPIPE'))
      endless.destroy()
      assert.ok(sentBytes > 2 * 1024 * 1024)
      await expectNothingLeft(server)
    })

    await t.test('of a declared size beyond the limit are refused at once', async () => {
      const { request, answer } = await beginUpload(server, ada)
      request.setHeader('content-length', String(10 ** 12))
      request.write('--b\r\n')
      assert.equal((await answer).status, 413)
      request.destroy()
      await expectNothingLeft(server)
    })

    await t.test(
      'into a collection that is sent meanwhile are refused, whatever was allowed when they began',
      async () => {
        const racing = await openCollection(ada)
        const { request, answer } = await beginUpload(server, ada)
        request.write(field('collection', String(racing)) + FILE_HEAD)
        request.write(pdf.subarray(0, 300_000))
        await waitForIncoming(server)
        must(await ada.post(`/collections/${racing}/save/`), 200)
        request.end(Buffer.concat([pdf.subarray(300_000), Buffer.from(END)]))
        const { status, body } = await answer
        assert.equal(status, 409, body)
        assert.equal(JSON.parse(body).code, 'collection_not_open')
        assert.equal(must(await ada.get(`/contents/?collection=${racing}`), 200).count, 0)
        await expectNothingLeft(server)
      },
    )

    await t.test('that arrive whole, the fields after the file, are kept', async () => {
      const { request, answer } = await beginUpload(server, ada)
      request.write(FILE_HEAD)
      for (let at = 0; at < pdf.length; at += 50_000) {
        request.write(pdf.subarray(at, at + 50_000))
        await sleep(1)
      }
      request.end(
        `\r\n${field('title_type', 'OTHER')}${field('title', 'Späte Felder')}${field('collection', String(collection))}--b--\r\n`,
      )
      const { status, body } = await answer
      assert.equal(status, 201, body)
      const made = JSON.parse(body)
      assert.equal(made.title, 'Späte Felder')
      assert.deepEqual((await ada.get(`/contents/serve/?content_id=${made.id}`)).bytes, pdf)
      await expectNothingLeft(server)
    })
  })
}

for (const engine of ENGINES)
  test(`20.16 an upload that cannot be stored is answered when nobody looks at its file any more (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { deps } = server
    const ada = await server.signIn('ada')
    const collection = String(await openCollection(ada))
    const ends: boolean[] = []
    deps.scanner = {
      scan: async (path, _askedBy, signal) => {
        await once(signal, 'abort')
        // As long as it looks the file is there.
        await sleep(100)
        ends.push(existsSync(path))
        throw new AppError('scanner_unavailable')
      },
      askVersion: () => Promise.reject(new Error('not asked for')),
    }
    deps.blobs.flushIncoming = () => Promise.reject(new AppError('storage_unavailable'))
    const send = (path: string, fields: Record<string, string>) =>
      ada.upload(path, fields, { name: 'a.pdf', bytes: makePdf() })
    assert.equal(must(await send('/contents/', { collection }), 503).code, 'storage_unavailable')
    assert.deepEqual(ends, [true])
    await expectNothingLeft(server)
  })

test('an upload whose file nothing can look at now is told to come again', async (t) => {
  const { deps, createUser } = await startTestServer(t)
  const viewer = await createUser({ username: 'ada' })
  for (const [found, told, status] of [
    ['no_process', 'certifying_unavailable', 503],
    ['worker_lost', 'certifying_unavailable', 503],
    ['crowded', 'busy', 429],
  ] as const) {
    const inspect = () => Promise.reject(new CertifyError(found, 'for now'))
    const failing = { ...deps, certify: { ...deps.certify, inspect } }
    await assert.rejects(inspectFile(failing, viewer, 'anything.pdf'), { code: told, status })
  }
})
