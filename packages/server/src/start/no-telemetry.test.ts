import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { API_BASE } from '@proofdesk/contract/route'
import { ADMIN, MAIN_SOURCE, root, run, start, type Settings } from '../testing/server-process.ts'
import { makePdf } from '../testing/small-files.ts'
import { waitUntil } from '../testing/wait-until.ts'

const WATCH = join(import.meta.dirname, '../testing/outgoing-watch.ts')
const PASSWORD = 'Secret1!'
/** Of the system calls: whatever names somebody to speak to. */
const CALLS = 'trace=connect,sendto,sendmsg,sendmmsg'

/** Without the right to look into processes, as in some containers, it does not work. */
const hasStrace = spawnSync('strace', ['-f', '-qq', '-e', CALLS, 'true']).status === 0

interface Reached {
  what: 'connect' | 'send' | 'name' | 'module'
  where: unknown
}

/** What JavaScript reached for. */
async function readReached(file: string): Promise<Reached[]> {
  const lines = existsSync(file) ? (await readFile(file, 'utf8')).trim().split('\n') : []
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Reached)
}

/** Addresses that any process of the tree named to the system, native code and parsing processes among them. */
async function readAddresses(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8')
  return [...text.matchAll(/inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)"/g)].map(
    ([, four, six]) => four ?? six ?? '',
  )
}

const isLoopbackAddress = (address: string) => /^(?:127\.|::1$|::ffff:127\.)/.test(address)

/** From the first start to a verified proof, as people do it. */
async function useEverything(server: Awaited<ReturnType<typeof start>>, settings: Settings): Promise<void> {
  const ask = async (method: string, path: string, { token, body }: { token?: string; body?: unknown } = {}) => {
    const isForm = body instanceof FormData
    const answer = await fetch(`${server.url}${path}`, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(!isForm && body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`)
    return text
  }
  const post = async (path: string, body: unknown, token?: string) => {
    const text = await ask('POST', `${API_BASE}${path}`, { body, ...(token !== undefined && { token }) })
    return (text === '' ? {} : JSON.parse(text)) as { id: number; access: string; proofid: string }
  }
  for (const [username, role] of [
    ['ada', 'user'],
    ['sam', 'staff'],
    ['sue', 'superuser'],
  ] as const) {
    const words = ['--username', username, '--email', `${username}@example.org`, '--role', role, '--verified']
    const made = run(ADMIN, ['create-user', ...words, '--password', '-'], settings)
    made.child.stdin.end(`${PASSWORD}\n`)
    assert.equal(await made.ended, 0, await made.errors)
  }
  const signIn = async (username: string) => (await post('/auth/login/', { username, password: PASSWORD })).access
  const [ada, sam, sue] = [await signIn('ada'), await signIn('sam'), await signIn('sue')]
  const { id } = await post('/collections/', { title: 'Degree' }, ada)
  const form = new FormData()
  form.set('collection', String(id))
  form.set('file', new Blob([new Uint8Array(makePdf())], { type: 'application/pdf' }), 'degree.pdf')
  await post('/contents/', form, ada)
  await post(`/collections/${id}/save/`, {}, ada)
  const { proofid } = await post(`/admin/${id}/approve/`, { admin_desc: 'Fine' }, sam)
  await ask('GET', `${API_BASE}/service-content-servers/get-pdfs/?${new URLSearchParams({ proofid, username: 'ada' })}`)
  await post('/password/reset/', { email: 'ada@example.org' })
  await ask('GET', `${API_BASE}/health/`, { token: sue })
  for (const path of ['/metrics', '/healthz', '/readyz', '/log/checkpoint']) await ask('GET', path)
}

async function runWatched(name: string, more: Settings) {
  const outgoing = join(root, `${name}.outgoing`)
  const trace = join(root, `${name}.strace`)
  const settings = { DATA_DIR: join(root, name), MIN_FREE_MB: '0', ...more }
  const strace = hasStrace ? ['strace', '-D', '-f', '--seccomp-bpf', '-qq', '-o', trace, '-e', CALLS] : []
  const program = [...strace, process.execPath, '--import', WATCH]
  const server = await start({ ...settings, OUTGOING: outgoing }, program, MAIN_SOURCE)
  return { server, settings, reached: () => readReached(outgoing), addresses: () => readAddresses(trace) }
}

test('17.19 17.29 from the first start to a verified proof a server reaches nobody outside its machine, and loads nothing of tracing', async (t) => {
  // An address that others would reach: what is loopback only might be spared something.
  const { server, settings, reached, addresses } = await runWatched('quiet', { PUBLIC_URL: 'https://proof.example' })
  await useEverything(server, settings)
  // What comes every few seconds, such as work that waits.
  await waitUntil(async () => existsSync(join(settings.DATA_DIR, 'outbox')))
  server.child.kill('SIGTERM')
  await server.ended

  const all = await reached()
  assert.ok(all.length > 0, 'it was watched')
  // An address that is listened at goes the way of a name, and no name server is asked.
  assert.deepEqual(
    all.filter(({ what, where }) => what !== 'module' && !(what === 'name' && isIP(String(where)) !== 0)),
    [],
    'nothing of its own opens a connection, sends a packet or looks a name up',
  )
  const tracing = all.filter(({ what, where }) => what === 'module' && !String(where).includes('/@opentelemetry/api/'))
  assert.deepEqual(tracing, [], 'prom-client loads the shapes of the API; nothing else is loaded')
  if (!hasStrace) return t.diagnostic('strace is not here, or may not be used: native code was not watched')
  assert.deepEqual(
    (await addresses()).filter((address) => !isLoopbackAddress(address)),
    [],
  )
})

test('17.29 the watch would see it: with a collector set, that one place is reached and no other', async () => {
  // TEST-NET-1, RFC 5737: nobody answers there.
  const { server, reached, addresses } = await runWatched('told', {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://192.0.2.1:4318',
    LOG_LEVEL: 'info',
  })
  await fetch(`${server.url}/healthz`)
  server.child.kill('SIGTERM')
  await once(server.child, 'exit')
  const all = await reached()
  assert.ok(all.some(({ where }) => String(where).includes('/@opentelemetry/sdk-trace/')))
  const places = all.filter(({ what }) => what === 'connect').map(({ where }) => where)
  assert.ok(places.length > 0)
  for (const place of places)
    assert.deepEqual({ path: null, ...(place as object) }, { host: '192.0.2.1', port: 4318, path: null })
  if (hasStrace)
    assert.deepEqual([...new Set((await addresses()).filter((one) => !isLoopbackAddress(one)))], ['192.0.2.1'])
})
