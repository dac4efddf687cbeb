import assert from 'node:assert/strict'
import { request } from 'node:http'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openCertifyPool } from '@proofdesk/certify/pool'
import { expectWithin, HOSTILE_FILES, PATIENT } from '@proofdesk/certify/testing'
import { UPLOADS_PER_USER } from '@proofdesk/contract/limits'
import { API_BASE } from '@proofdesk/contract/route'
import { startTestServer, type TestServer } from '../../testing.ts'
import { openCollection } from '../../testing/collections.ts'
import { makePdf } from '../../testing/small-files.ts'

const BOUNDARY = 'proofdesk-boundary'
/** From the last byte of a bomb to its refusal. */
const BOMB_MS = 200
const NEXT_UPLOAD_MS = 2000
const MOST_GROWN_BYTES = 100 << 20
/** A client of the same process holds the file too, so memory is judged by files that are small. */
const JUDGED_BYTES = 10 << 20

interface Answer {
  status: number
  code: string | undefined
  id: number
  retryAfter: string | undefined
  /** From the last byte sent to the answer. */
  milliseconds: number
}

function writeForm(collection: number, bytes: Uint8Array): Buffer {
  const field = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="collection"\r\n\r\n${collection}\r\n`
  const file = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n`
  return Buffer.concat([Buffer.from(field + file), bytes, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)])
}

/** Over a real connection; the last byte is held back until the rest has arrived and `release` says so. */
function send(url: string, access: string, form: Buffer, release: Promise<unknown> = sleep(50)): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let sentAt = 0
    async function sendLastByte(): Promise<void> {
      await release
      sentAt = performance.now()
      call.end(form.subarray(-1))
    }
    const call = request(`${url}${API_BASE}/contents/`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${access}`,
        'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
        'content-length': form.length,
      },
    })
    call.on('error', reject)
    call.on('response', (response) => {
      const milliseconds = performance.now() - sentAt
      response.setEncoding('utf8')
      let text = ''
      response.on('data', (chunk: string) => (text += chunk))
      response.on('end', () => {
        const { code, id } = JSON.parse(text) as { code?: string; id: number }
        const retryAfter = response.headers['retry-after']
        resolve({ status: response.statusCode ?? 0, code, id, retryAfter, milliseconds })
        call.destroy()
      })
    })
    call.write(form.subarray(0, -1), () => {
      void sendLastByte()
    })
  })
}

/** A pool with one process: whatever keeps it busy keeps the next upload waiting. */
async function startWithOneProcess(t: Parameters<typeof startTestServer>[0]) {
  const folder = await mkdtemp(join(tmpdir(), 'proofdesk-hostile-'))
  // Processor time bounds a file here.
  const certify = openCertifyPool({ keysDir: folder, workDir: folder, threads: 1, limits: PATIENT })
  t.after(() => rm(folder, { recursive: true, force: true }))
  const server = await startTestServer(t, 'sqlite', { certify, maxUploadMb: 64 })
  return { server, certify, folder, url: await server.listen() }
}

/** The most that this process's memory grew while `work` ran. */
async function watchGrowth<Result>(work: () => Promise<Result>): Promise<{ grown: number; result: Result }> {
  const before = process.memoryUsage.rss()
  let most = 0
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss() - before)), 5)
  const result = await work()
  clearInterval(watch)
  return { grown: most, result }
}

test('hostile uploads are refused by name or taken, and none keeps a process, memory or a file', async (t) => {
  const { server, certify, folder, url } = await startWithOneProcess(t)
  const ada = await server.signIn('ada')
  const access = ada.access ?? ''
  const collection = await openCollection(ada)
  const honest = writeForm(collection, makePdf())
  const seen = new Set<number>()

  async function uploadHonest(): Promise<Answer> {
    // So small that nothing of it can be on its way still.
    const answer = await send(url, access, honest, Promise.resolve())
    assert.equal(answer.status, 201)
    assert.equal((await ada.delete(`/contents/${answer.id}/`)).status, 204)
    for (const id of certify.processIds()) seen.add(id)
    return answer
  }

  await uploadHonest()
  for (const [group, files] of Object.entries(HOSTILE_FILES))
    for (const { name, make, fate } of files)
      await t.test(`${group}: ${name}`, async (part) => {
        const bytes = await make()
        const form = writeForm(collection, bytes)
        const { grown, result } = await watchGrowth(() => send(url, access, form))
        part.diagnostic(
          `${result.code ?? 'taken'} after ${result.milliseconds.toFixed(0)} ms, ${(grown / 1e6).toFixed(0)} MB`,
        )
        if ('refused' in fate) {
          const codes = fate.refused.map((reason) => `file_${reason}`)
          assert.ok(codes.includes(result.code ?? ''), `${result.status} ${result.code}`)
          assert.ok(result.status === 400 || result.status === 415)
        } else {
          assert.equal(result.status, 201, result.code)
          assert.equal((await ada.delete(`/contents/${result.id}/`)).status, 204)
        }
        if (bytes.length <= JUDGED_BYTES) assert.ok(grown < MOST_GROWN_BYTES, `grown by ${grown} bytes`)
        const next = await uploadHonest()
        expectWithin(next.milliseconds, NEXT_UPLOAD_MS, 'the next upload')
      })

  await server.settle()
  assert.deepEqual(await server.deps.db.selectFrom('contents').select('id').execute(), [])
  // one that looks at uploads, one that draws thumbnails of what was taken
  assert.ok(certify.processIds().length <= 2)
  await certify.close()
  for (const id of seen) assert.throws(() => process.kill(id, 0), { code: 'ESRCH' })
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.startsWith('desk-')),
    [],
  )
})

test('a megabyte that unpacks to a gigabyte is refused within 200 ms of its last byte', async (t) => {
  const { server, certify, url } = await startWithOneProcess(t)
  t.after(() => certify.close())
  const ada = await server.signIn('ada')
  const access = ada.access ?? ''
  const collection = await openCollection(ada)
  const bombs = ['object stream, 1 MB to 1 GB', 'page content', 'image of one pixel with a gigabyte of data']
  for (const { name, make } of HOSTILE_FILES['bombs'] ?? []) {
    if (!bombs.includes(name)) continue
    const form = writeForm(collection, await make())
    const times: number[] = []
    // whatever else runs on the machine is measured too, so one quiet round is enough
    while (times.length < 8 && !times.some((milliseconds) => milliseconds < BOMB_MS)) {
      const answer = await send(url, access, form)
      assert.equal(answer.code, 'file_decompression_bomb')
      times.push(answer.milliseconds)
    }
    t.diagnostic(`${name}: ${times.map((milliseconds) => milliseconds.toFixed(0)).join(', ')} ms`)
    expectWithin(Math.min(...times), BOMB_MS, name)
  }
})

test('one person uploads so many files at once and no more; others are not counted in', async (t) => {
  const { server, certify, url } = await startWithOneProcess(t)
  t.after(() => certify.close())
  const [ada, eve] = [await server.signIn('ada'), await server.signIn('eve')]
  const forms = new Map<string, Buffer>()
  for (const client of [ada, eve]) forms.set(client.access ?? '', writeForm(await openCollection(client), makePdf()))
  const upload = (client: typeof ada, release?: Promise<unknown>) =>
    send(url, client.access ?? '', forms.get(client.access ?? '') ?? Buffer.alloc(0), release)

  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const held = Array.from({ length: UPLOADS_PER_USER }, () => upload(ada, released))
  try {
    await untilWaiting(server, UPLOADS_PER_USER)
    const refused = await upload(ada, Promise.resolve())
    assert.equal(refused.status, 429)
    assert.equal(refused.code, 'too_many_uploads')
    assert.equal(refused.retryAfter, '2')
    assert.equal((await upload(eve)).status, 201)
  } finally {
    // Whatever fails before, the server would else wait for them for ever.
    release()
  }
  for (const answer of await Promise.all(held)) assert.equal(answer.status, 201)
  assert.equal((await upload(ada)).status, 201)
})

/** Until that many uploads have begun to arrive. */
async function untilWaiting({ config }: TestServer, count: number): Promise<void> {
  for (let round = 0; round < 200; round += 1) {
    const incoming = await readdir(join(config.dataDir, 'incoming'), { withFileTypes: true })
    // Desks of parsing processes are folders.
    if (incoming.filter((entry) => entry.isFile()).length >= count) return
    await sleep(20)
  }
  assert.fail('the uploads do not arrive')
}
