import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { loadSigningKey } from '@proofdesk/certify/issuing-keys'
import { needJudge, runJudge } from '@proofdesk/certify/testing'
import { API_BASE } from '@proofdesk/contract/route'
import { CollectionStatus, TicketStatus } from '@proofdesk/contract/status'
import { verifySeal } from '@proofdesk/proof/verify-seal'
import { DEMO_PASSWORD } from '@proofdesk/server/demonstration'
import { findProgram } from '@proofdesk/server/testing/find-program'
import { findFreePort } from '@proofdesk/server/testing/free-ports'
import { PEOPLE, UNVERIFIED } from './people.ts'

const DEMO = join(import.meta.dirname, 'main.ts')
const MAIN = findProgram('start/main.ts')
/** The promise is 30 s on a machine of its own; here others run beside it. */
const PATIENCE_MS = 90_000

const root = await mkdtemp(join(tmpdir(), 'proofdesk-demo-'))
const children = new Set<ChildProcess>()
after(async () => {
  for (const child of children) child.kill('SIGKILL')
  await rm(root, { recursive: true, force: true })
})

type Settings = Record<string, string>

function run(script: string, args: string[], settings: Settings) {
  const kept = Object.entries(process.env).filter(([name]) =>
    /^(PATH|NODE_COMPILE_CACHE|PROOFDESK_PARSING_PROGRAM|LD_PRELOAD|FAKETIME.*)$/.test(name),
  )
  const env = { ...Object.fromEntries(kept), LOG_LEVEL: 'warn', ...settings }
  const child = spawn(process.execPath, [script, ...args], { env, cwd: root })
  children.add(child)
  const out: string[] = []
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk.toString()))
  const errors = text(child.stderr)
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return { child, out: () => out.join(''), errors, ended }
}

async function expectRefusal(script: string, args: string[], settings: Settings, line: RegExp): Promise<void> {
  const refused = run(script, args, settings)
  assert.equal(await refused.ended, 1)
  const errors = await refused.errors
  assert.match(errors, line)
  assert.equal(errors.trimEnd().split('\n').length, 1, errors)
}

// oxlint-disable-next-line typescript/no-explicit-any
type Json = any

test('a demonstration fills an empty instance', { timeout: 2 * PATIENCE_MS }, async (t) => {
  const dataDir = join(root, 'data')
  const PORT = String(await findFreePort())
  const settings = { DATA_DIR: dataDir, PORT, SMTP_URL: 'smtp://127.0.0.1:1' }
  const url = `http://127.0.0.1:${PORT}`
  const demo = run(DEMO, ['--fill-only'], settings)
  assert.equal(await demo.ended, 0, await demo.errors)
  assert.equal(await demo.errors, '')
  const told = demo.out()
  // The last character may be one of the check symbols, which are no letters.
  const proofs = [...told.matchAll(/^ {2}((?:[0-9A-Z]{4}-){4}[0-9A-Z*~$=]) {2}(\S+)/gm)].map(
    ([, id = '', name = '']) => ({ proofid: id, username: name }),
  )

  await t.test('and tells in half a minute the address, the password, the names and Proof IDs to try', () => {
    assert.ok(Number(/Done in ([\d.]+) s/.exec(told)?.[1]) < PATIENCE_MS / 1000)
    for (const { username } of [...PEOPLE, UNVERIFIED]) assert.match(told, new RegExp(`^ {2}${username} `, 'm'))
    assert.ok(told.includes(`${url}/login; everybody’s password is ${DEMO_PASSWORD}`), told)
    assert.equal(proofs.length, 5)
    t.diagnostic(/Done in .* s/.exec(told)?.[0] ?? '')
  })

  const server = run(MAIN, [], settings)
  for (const end = Date.now() + PATIENCE_MS; !server.out().includes('is ready');) {
    assert.ok(Date.now() < end && server.child.exitCode === null, 'the server does not start')
    await pause(50)
  }
  const call = (path: string, access?: string, init: RequestInit = {}) =>
    fetch(`${url}${API_BASE}${path}`, {
      ...init,
      headers: {
        'content-type': 'application/json',
        ...(access !== undefined && { authorization: `Bearer ${access}` }),
      },
    })
  const login = (username: string, password = DEMO_PASSWORD) =>
    call('/auth/login/', undefined, { method: 'POST', body: JSON.stringify({ username, password }) })
  const get = async (path: string, access: string): Promise<Json> => {
    const answer = await call(path, access)
    assert.equal(answer.status, 200, path)
    return answer.json()
  }
  const signIn = async (username: string): Promise<string> => (await (await login(username)).json()).access

  await t.test('everybody signs in as what they are said to be; who is deactivated does not', async () => {
    for (const { username, role } of [...PEOPLE, UNVERIFIED]) {
      const answer = await login(username)
      assert.equal(answer.status, username === 'eleni' ? 400 : 200, username)
      if (answer.status !== 200) continue
      const user: Json = await answer.json()
      assert.equal(user.is_email_verified, username !== UNVERIFIED.username)
      for (const flag of ['staff', 'admin', 'superuser']) assert.equal(user[`is_${flag}`], role === flag, username)
    }
    assert.equal((await login('aiko', 'Demo123?')).status, 400)
  })

  await t.test('no setup link is open', () => assert.doesNotMatch(server.out(), /setup/))

  await t.test('there are collections in every status, from different weeks, with files and comments', async () => {
    const aiko = await signIn('aiko')
    const days = new Set<string>()
    let comments = 0
    for (const status of CollectionStatus.options) {
      const { count, results } = await get(`/collections/?status=${status}`, aiko)
      assert.ok(count > 0, status)
      for (const { id, created_at } of results) {
        days.add(String(created_at).slice(0, 10))
        assert.ok((await get(`/contents/?collection=${id}`, aiko)).count > 0)
        comments += (await get(`/comments/?collection=${id}`, aiko)).count
      }
    }
    assert.ok(comments >= 6)
    assert.ok(days.size >= 8, [...days].join())
  })

  await t.test('there are tickets in every state, closed and of visitors too', async () => {
    const tomasz = await signIn('tomasz')
    const { results } = await get('/ticket/', tomasz)
    const states = new Set(results.map((ticket: Json) => ticket.status))
    for (const status of TicketStatus.options) assert.ok(states.has(status), status)
    assert.ok(results.some((ticket: Json) => ticket.is_locked))
    assert.ok(results.some((ticket: Json) => ticket.username === null || ticket.email?.endsWith('@example.net')))
  })

  await t.test('owners were notified of decisions and answers', async () => {
    const types = async (username: string) =>
      (await get('/notification/', await signIn(username))).results.map((one: Json) => one.type)
    assert.ok((await types('leyla')).includes('APPROVED_COLLECTION'))
    assert.ok((await types('priya')).includes('REJECTED_COLLECTION'))
    assert.ok((await types('priya')).includes('ANSWER_TICKET'))
  })

  await t.test(
    'each Proof ID verifies for everybody, sealed at the true time; the expired one is gone',
    async (subtest) => {
      const { ca } = await loadSigningKey(join(dataDir, 'keys'))
      const pins = [ca.fingerprint256.replaceAll(':', '').toLowerCase()]
      for (const [at, { proofid, username }] of proofs.entries()) {
        const query = new URLSearchParams({ proofid, username })
        const answer = await call(`/service-content-servers/get-pdfs/?${query}`)
        if (at === proofs.length - 1) {
          assert.equal(answer.status, 410)
          continue
        }
        assert.equal(answer.status, 200)
        const bytes = new Uint8Array(await answer.arrayBuffer())
        const { claimedAt } = await verifySeal(bytes, { pins })
        assert.ok(Math.abs(Date.now() - claimedAt) < 2 * PATIENCE_MS)
        if (!needJudge(subtest, 'qpdf')) return
        const path = join(root, 'certified.pdf')
        await writeFile(path, bytes)
        const checked = await runJudge('qpdf', '--check', path)
        assert.equal(checked.code, 0, checked.text)
      }
    },
  )

  await t.test('no mail left the machine, and the link to verify the newest address still works', async () => {
    const mails = await readdir(join(dataDir, 'outbox'))
    const texts = await Promise.all(mails.map((name) => readFile(join(dataDir, 'outbox', name), 'utf8')))
    assert.ok(texts.length >= 5)
    const token = texts.join('\n').match(/verify-email\/([\w-]{43})/)?.[1]
    const answer = await call('/auth/verify-email/', undefined, { method: 'POST', body: JSON.stringify({ token }) })
    assert.equal(answer.status, 200)
  })

  await t.test('while a server runs it is refused', () =>
    expectRefusal(DEMO, [], { ...settings, DATA_DIR: join(root, 'second') }, /^PORT \d+ cannot be had/),
  )

  server.child.kill('SIGTERM')
  assert.equal(await server.ended, 0)

  await t.test('a second time it is refused and changes nothing', async () => {
    const before = await readFile(join(dataDir, 'proofdesk.sqlite'))
    await expectRefusal(DEMO, [], settings, /^This instance is in use already and nothing was changed/)
    assert.ok(before.equals(await readFile(join(dataDir, 'proofdesk.sqlite'))))
  })

  await t.test('with its known password it is never served where others can reach it', async () => {
    for (const wider of [
      { HOST: '0.0.0.0' },
      { PUBLIC_URL: 'https://proof.example' },
      { TRUST_PROXY: '10.0.0.0/8' },
    ] as Settings[])
      await expectRefusal(MAIN, [], { ...settings, ...wider }, /^This database is a demonstration/)
  })
})

test('a demonstration that others could reach is refused, and with the flag has a password of its own', async () => {
  const settings = {
    DATA_DIR: join(root, 'wide'),
    PORT: String(await findFreePort()),
    PUBLIC_URL: 'https://proof.example',
  }
  await expectRefusal(DEMO, ['--fill-only'], settings, /^The password of the demonstration is known to everybody/)
  assert.deepEqual(await readdir(root).then((names) => names.filter((name) => name === 'wide')), [])

  const demo = run(DEMO, ['--fill-only', '--reachable'], settings)
  assert.equal(await demo.ended, 0, await demo.errors)
  const password = /everybody’s password is (\S+)/.exec(demo.out())?.[1] ?? ''
  assert.ok(password.length > 20)
  assert.ok(!demo.out().includes(DEMO_PASSWORD))
})

test('the demo command explains itself', async () => {
  const help = run(DEMO, ['--help'], {})
  assert.equal(await help.ended, 0)
  assert.match(help.out(), /npm run demo/)
  await expectRefusal(DEMO, ['--colour'], {}, /^--colour is not known/)
})
