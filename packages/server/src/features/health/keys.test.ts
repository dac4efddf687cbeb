import assert from 'node:assert/strict'
import { readFile, rename, rm, symlink, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { HealthReport } from '@proofdesk/contract/health'
import { ENGINES, startTestServer, type TestServer } from '../../testing.ts'
import { must } from '../../testing/collections.ts'

const DAY_MS = 86_400_000

async function readKeys(server: TestServer): Promise<HealthReport['keys']> {
  return must(await (await server.signIn('sue', { is_superuser: true })).get('/health/'), 200).keys
}

for (const engine of ENGINES) {
  test(`17.13 a certificate is to be watched from 90 days before its end, and broken after it (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { state, certificates } = await readKeys(server)
    assert.deepEqual([state, certificates.map(({ what }) => what)], ['well', ['document_signing', 'authority']])
    for (const { subject, begins_at, ends_at } of certificates) {
      assert.match(subject, /Registry|Proofdesk/)
      assert.ok(Date.parse(begins_at) <= server.clock.now())
      const years = (Date.parse(ends_at) - Date.parse(begins_at)) / (365.25 * DAY_MS)
      assert.equal(Math.round(years), 10)
    }
    const end = Math.min(...certificates.map(({ ends_at }) => Date.parse(ends_at)))
    for (const [before, expected] of [
      [91 * DAY_MS, 'well'],
      [90 * DAY_MS, 'watch'],
      [1000, 'watch'],
      [0, 'broken'],
    ] as const) {
      server.clock.advance(end - before - server.clock.now())
      assert.equal((await readKeys(server)).state, expected, `${before} ms before the end`)
    }
  })
}

test('17.14 keys are told by their ages alone, and one that is gone is broken', async (t) => {
  const server = await startTestServer(t, 'sqlite')
  const path = join(server.config.keysDir, 'log.key.pem')
  await utimes(path, 1_700_000_000, 1_700_000_000)
  const client = await server.signIn('sue', { is_superuser: true })
  const { body } = await client.get('/health/')
  const { files } = (JSON.parse(body) as HealthReport).keys
  assert.deepEqual(
    files.map(({ what }) => what),
    ['document_signing', 'authority', 'log', 'paper', 'secrets'],
  )
  assert.equal(files[2]?.written_at, '2023-11-14T22:13:20.000Z')
  for (const name of ['log.key.pem', 'paper.key.pem', 'secrets.key']) {
    const lines = (await readFile(join(server.config.keysDir, name), 'utf8')).trim().split('\n')
    for (const secret of lines) assert.ok(!body.includes(secret), name)
  }
  assert.ok(!body.includes(server.config.keysDir))

  await rename(path, `${path}.away`)
  const gone = await readKeys(server)
  assert.deepEqual([gone.state, gone.files[2]?.written_at], ['broken', null])
  await rename(`${path}.away`, path)
  assert.equal((await readKeys(server)).state, 'well')
})

test('17.13 certificates that cannot be read are broken', async (t) => {
  const server = await startTestServer(t, 'sqlite')
  const path = join(server.config.keysDir, 'issuing')
  await rm(path)
  await symlink(server.config.dataDir, path)
  const { state, certificates } = await readKeys(server)
  assert.deepEqual([state, certificates], ['broken', []])
  assert.ok(server.logLines.some((line) => line.includes('the issuing certificates cannot be read')))
})
