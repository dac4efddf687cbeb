import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { makePdf } from '@proofdesk/certify/testing'
import { ADMIN, SERVER } from './bundle-programs.ts'
import { findReleased, PARSING_PLACE, writeReleasePrograms } from './release-programs.ts'

const ROOT = dirname(dirname(import.meta.dirname))
const API_BASE = '/backend/api/v1'
const PATIENCE_MS = 60_000
const PASSWORD = 'Sunflower12!'

test('the programs of a release serve, wherever it stands: accounts are made, people sign in, uploads are looked at', async (t) => {
  mkdirSync(join(ROOT, 'node_modules/.cache'), { recursive: true })
  // A release has its packages with it; here they are those above.
  const home = mkdtempSync(join(ROOT, 'node_modules/.cache/release-'))
  t.after(() => rmSync(home, { recursive: true, force: true }))
  for (const name of ['packages', 'node_modules', 'package.json', 'CHANGELOG.md'])
    symlinkSync(join(ROOT, name), join(home, name))
  await writeReleasePrograms(ROOT, home)
  for (const source of [ADMIN, SERVER])
    assert.ok(!readFileSync(join(home, findReleased(source)), 'utf8').includes(ROOT), 'nothing of where it was made')

  const env = {
    PATH: process.env['PATH'],
    DATA_DIR: join(home, 'data'),
    MIN_FREE_MB: '0',
    [PARSING_PLACE.setting]: join(home, PARSING_PLACE.path),
  }
  const account = ['--username', 'ada', '--email', 'ada@example.org', '--verified', '--role', 'user', '--password', '-']
  const made = spawnSync(process.execPath, [join(home, findReleased(ADMIN)), 'create-user', ...account], {
    env,
    input: `${PASSWORD}\n`,
    encoding: 'utf8',
  })
  assert.equal(made.status, 0, made.stderr)

  const port = await findFreePort()
  const server = spawn(process.execPath, [join(home, findReleased(SERVER))], {
    env: { ...env, PORT: `${port}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const output of [server.stdout, server.stderr]) output.on('data', (piece) => (said += piece))
  t.after(async () => {
    const ended = server.exitCode === null ? once(server, 'exit') : undefined
    server.kill('SIGTERM')
    await ended
  })
  const base = `http://127.0.0.1:${port}`
  for (const end = Date.now() + PATIENCE_MS; ; await pause(50)) {
    if ((await fetch(`${base}/healthz`).catch(() => undefined))?.ok) break
    assert.ok(Date.now() < end && server.exitCode === null, said)
  }

  const post = async (path: string, body: FormData | object, headers: Record<string, string> = {}) => {
    const isForm = body instanceof FormData
    const answer = await fetch(`${base}${API_BASE}${path}`, {
      method: 'POST',
      headers: isForm ? headers : { 'content-type': 'application/json', ...headers },
      body: isForm ? body : JSON.stringify(body),
    })
    const text = await answer.text()
    assert.ok(answer.ok, `${path}: ${answer.status} ${text} ${said}`)
    return JSON.parse(text) as Record<string, unknown>
  }
  const { access } = await post('/auth/login/', { username: 'ada', password: PASSWORD })
  const headers = { authorization: `Bearer ${String(access)}` }
  const { id } = await post('/collections/', { title: 'Lease' }, headers)
  const form = new FormData()
  form.append('collection', String(id))
  form.append('file', new Blob([Uint8Array.from(makePdf({ pages: 2 }))]), 'lease.pdf')
  const content = await post('/contents/', form, headers)
  assert.equal(content['pages'], 2)
})

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
