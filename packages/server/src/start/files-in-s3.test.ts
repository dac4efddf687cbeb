import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { API_BASE } from '@proofdesk/contract/route'
import { incomingFolder } from '../blobs/incoming.ts'
import { ENGINES, startTestServer } from '../testing.ts'
import { BARE_ENVIRONMENT } from '../testing/bare-environment.ts'
import { addFile, must, openCollection } from '../testing/collections.ts'
import { findProgram } from '../testing/find-program.ts'
import { startS3Proxy } from '../testing/s3-proxy.ts'
import { makeTestBucket, skipWithoutS3 } from '../testing/s3.ts'
import { makePdf } from '../testing/small-files.ts'
import { runCommand } from '../testing/stopped-installation.ts'
import { listExpectedFiles } from '../testing/stored-files.ts'
import { waitUntil } from '../testing/wait-until.ts'

const MAIN = findProgram('start/main.ts')
const skip = { skip: skipWithoutS3 }
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

for (const engine of ENGINES)
  test(
    `19.19 with files in S3 a document is uploaded, sent, approved, verified and fetched byte by byte (${engine})`,
    skip,
    async (t) => {
      const bucket = await makeTestBucket('desk')
      const proxy = await startS3Proxy(t, bucket.settings.endpoint ?? '')
      const storage = { ...bucket.settings, endpoint: proxy.endpoint }
      const server = await startTestServer(t, engine, { config: { storage } })
      const url = await server.listen()
      const ada = await server.signIn('ada')
      const sam = await server.signIn('sam', { is_staff: true })
      // Large enough for uploads in parts, and for a copy of the first revision within the store.
      const bytes = makePdf(2, 'Proofdesk', 6_000_000)
      const id = await openCollection(ada)
      const content = await addFile(ada, id, bytes)
      await addFile(ada, id, makePdf(1))
      must(await ada.post(`/collections/${id}/save/`), 200)
      const original = await sam.get(`/contents/serve/?content_id=${content}`)
      assert.equal(sha256(original.bytes), sha256(bytes))
      const { proofid } = must(await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Fine' }), 200)
      await server.settle()
      assert.equal((await ada.get(`/contents/${content}/thumbnail/`)).status, 200)

      const { sealed_sha256, sealed_key } = await server.deps.db
        .selectFrom('proofs')
        .select(['sealed_sha256', 'sealed_key'])
        .executeTakeFirstOrThrow()
      const asked = `${url}${API_BASE}/service-content-servers/get-pdfs/?${new URLSearchParams({ proofid, username: 'ada' })}`
      const fetched = Buffer.from(await (await fetch(asked)).arrayBuffer())
      assert.equal(sha256(fetched), sealed_sha256)
      const range = await fetch(asked, { headers: { range: 'bytes=5000000-5000099' } })
      assert.equal(range.status, 206)
      assert.ok(Buffer.from(await range.arrayBuffer()).equals(fetched.subarray(5_000_000, 5_000_100)))
      const judged = await server.inject({
        method: 'POST',
        url: `${API_BASE}/service-content-servers/details/`,
        payload: { proofid, username: 'ada' },
      })
      assert.equal(judged.statusCode, 200)

      // What judges files in the background has them on the local disk for a moment.
      await waitUntil(async () => {
        const expected = (await listExpectedFiles(server)).map((path) => path.replace('blobs/', 'desk/'))
        const there = (await bucket.list()).filter((key) => key !== 'desk/log/guard').sort()
        return isDeepStrictEqual([there, await readdir(incomingFolder(server.config.dataDir))], [expected, []])
      })
      assert.ok(proxy.seen.some(({ method, path }) => method === 'PUT' && path.includes('partNumber=2')))
      assert.ok((await fetch(`${url}/readyz`)).ok)

      // Whoever has the bucket cannot have another file shown for it.
      const altered = Buffer.from(fetched)
      altered[3_000_000]! ^= 1
      await bucket.write(`desk/${sealed_key}`, altered)
      const refused = await fetch(asked)
      assert.deepEqual([refused.status, (await refused.json()).code], [500, 'file_altered'])
      await bucket.remove(`desk/${sealed_key}`)
      const lost = await fetch(asked)
      assert.deepEqual([lost.status, (await lost.json()).code], [500, 'file_missing'])

      proxy.decide = () => 'never answer'
      const ready = await waitUntil(async () => {
        const answer = await fetch(`${url}/readyz`)
        return !answer.ok && answer
      })
      assert.deepEqual([ready.status, (await ready.json()).storage], [503, 'unavailable'])
      proxy.decide = () => 'pass'
      await waitUntil(async () => (await fetch(`${url}/readyz`)).ok)
      for (const secret of Object.values(storage.credentials).filter((word) => word.length > 8))
        assert.ok(!server.logLines.some((line) => line.includes(secret)), 'no secret is logged')
    },
  )

test('19.20 a server whose bucket is missing or refuses it ends with one clear line', skip, async (t) => {
  const { environment } = await makeTestBucket()
  const root = await mkdtemp(join(tmpdir(), 'proofdesk-s3-main-'))
  t.after(() => rm(root, { recursive: true }))
  const secretFile = join(root, 'secret')
  await writeFile(secretFile, 'another-secret-than-that\n')
  const { AWS_SECRET_ACCESS_KEY: _, ...withoutSecret } = environment
  const url = new URL(environment.STORAGE_URL)
  url.hostname = 'no-such-bucket'
  for (const [settings, line] of [
    [
      { ...environment, STORAGE_URL: url.href },
      /^The bucket of STORAGE_URL \(no-such-bucket at http:\S+\) cannot be used: there is no such bucket\n$/,
    ],
    [{ ...withoutSecret, AWS_SECRET_ACCESS_KEY_FILE: secretFile }, /^The bucket of STORAGE_URL .* are refused\n$/],
    [withoutSecret, /^AWS_SECRET_ACCESS_KEY is missing: STORAGE_URL needs it\n$/],
  ] as const) {
    const env = { ...BARE_ENVIRONMENT, DATA_DIR: join(root, 'data'), PORT: '1', ...settings }
    const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'ignore', 'pipe'] })
    const [told, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
    assert.match(told, line)
    assert.equal(code, 1)
    assert.ok(!told.includes('another-secret'))
  }
})

test('19.21 check and check-proofs read the bucket, and a backup saves it (sqlite)', skip, async (t) => {
  const bucket = await makeTestBucket()
  const server = await startTestServer(t, 'sqlite', { config: { storage: bucket.settings } })
  const { dataDir, keysDir } = server.config
  const run = (...args: string[]) => runCommand(args, { DATA_DIR: dataDir, KEYS_DIR: keysDir, ...bucket.environment })
  const ada = await server.signIn('ada')
  const sam = await server.signIn('sam', { is_staff: true })
  const id = await openCollection(ada)
  await addFile(ada, id)
  must(await ada.post(`/collections/${id}/save/`), 200)
  must(await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Fine' }), 200)
  await server.settle()
  assert.deepEqual((await run('check')).err, '')
  assert.match((await run('check-proofs')).out, /^1 certified PDFs were checked: all are what was approved\.$/)
  assert.deepEqual(await readdir(join(dataDir, 'fetched')), [], 'nothing was read by anybody yet')

  const { blob_key: key } = await server.deps.db.selectFrom('contents').select('blob_key').executeTakeFirstOrThrow()
  const original = await bucket.read(key)
  await bucket.write(key, randomBytes(original.length))
  assert.match(
    (await run('check')).err,
    new RegExp(`^${key}: altered\n1 of \\d stored files are not as they were stored`),
  )
  await bucket.remove(key)
  assert.match((await run('check')).err, new RegExp(`^${key}: missing\n`))
  await bucket.write(key, original)
  const backup = join(dataDir, 'backup')
  const saved = await run('backup', backup)
  assert.deepEqual([saved.status, saved.err], [0, ''])
  assert.deepEqual((await run('drill', backup)).status, 0)
  await bucket.remove(key)
  assert.deepEqual(await run('backup', join(dataDir, 'later')).then(({ status, err }) => [status, err]), [
    3,
    `${key}: missing`,
  ])
})
