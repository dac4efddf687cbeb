import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { MAIN, root, run, start, type Settings } from '../../testing/server-process.ts'
import { hasRealPostgres, makeRealDatabase } from '../../testing/real-postgres.ts'
import { waitUntil } from '../../testing/wait-until.ts'

const needsPostgres = { skip: !hasRealPostgres && 'PostgreSQL is not installed' }

/** Processes that a process has begun and that serve. */
function listServing(lead: number): number[] {
  const serving = (pid: string) => {
    try {
      const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
      return rest.split(' ')[1] === String(lead) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(MAIN)
    } catch {
      return false
    }
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && serving(name))
    .map(Number)
}

const isGone = (pid: number) => {
  try {
    process.kill(pid, 0)
    return false
  } catch {
    return true
  }
}

test(
  '21.1 21.2 21.3 several processes serve one port, and one that ends is replaced (postgres)',
  needsPostgres,
  async (t) => {
    const real = await makeRealDatabase('empty')
    const settings: Settings = { DATA_DIR: join(root, 'many'), DATABASE_URL: real.url, WEB_CONCURRENCY: '3' }
    const server = await start(settings)
    const lead = server.child.pid!
    t.after(async () => {
      server.child.kill('SIGKILL')
      await server.ended
      await real.drop()
    })
    const readMetrics = async () => (await fetch(`${server.url}/metrics`)).text()
    const countAnswers = async (route: string) =>
      Number(
        new RegExp(`_count\\{method="GET",route="${route}",status="200"\\} (\\d+)`).exec(await readMetrics())?.[1] ?? 0,
      )

    await t.test('what is told once is told once', async () => {
      const links = () => server.out().match(/\/setup\/[\w-]{43}$/gm) ?? []
      await waitUntil(() => links().length > 0)
      assert.equal(links().length, 1)
      assert.equal(server.out().match(/is ready/g)?.length, 1)
      assert.equal(listServing(lead).length, 3)
      const token = links()[0]!.split('/').at(-1)!
      const made = await fetch(`${server.url}/backend/api/v1/auth/setup/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token, username: 'root', email: 'root@example.org', password: 'Secret1!' }),
      })
      assert.equal(made.status, 201)
    })

    await t.test('the metrics are those of all of them', async () => {
      for (let n = 0; n < 30; n++)
        assert.equal((await fetch(`${server.url}/healthz`, { headers: { connection: 'close' } })).status, 200)
      assert.equal(await countAnswers('/healthz'), 30)
      const parts = (await readMetrics()).match(/^proofdesk_part_state\{part="database"\} 1$/gm)
      assert.equal(parts?.length, 1)
    })

    await t.test('one that is killed is replaced, and the port is answered meanwhile', async () => {
      const before = listServing(lead)
      process.kill(before[0]!, 'SIGKILL')
      await waitUntil(() => isGone(before[0]!))
      for (let n = 0; n < 10; n++) assert.equal((await fetch(`${server.url}/readyz`)).status, 200)
      const after = await waitUntil(() => {
        const now = listServing(lead)
        return now.length === 3 && now
      })
      assert.equal(after.filter((pid) => before.includes(pid)).length, 2)
    })

    await t.test('told to end, all end by themselves', async () => {
      const all = listServing(lead)
      server.child.kill('SIGTERM')
      assert.equal(await server.ended, 0)
      assert.ok(all.every(isGone))
      assert.match(server.out(), /is closing \(SIGTERM\)/)
    })

    await t.test('21.19 told to end all at once, as supervisors do, they still answer what is under way', async () => {
      const again = await start(settings)
      const leader = again.child.pid!
      const body = JSON.stringify({ username: 'nobody', password: 'Wrong1!' })
      const head = `POST /backend/api/v1/auth/login/ HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`
      // More than there are processes: each has some.
      const sockets = Array.from({ length: 6 }, () => connect(again.port, '127.0.0.1'))
      const answers = sockets.map((socket) => text(socket))
      for (const socket of sockets) socket.write(head + body.slice(0, 5))
      await sleep(500)
      for (const pid of [...listServing(leader), leader]) process.kill(pid, 'SIGTERM')
      await waitUntil(() => again.out().includes('is closing'))
      await sleep(500)
      for (const socket of sockets) socket.write(body.slice(5))
      for (const answer of await Promise.all(answers)) assert.match(answer, /^HTTP\/1\.1 400 /)
      assert.equal(await again.ended, 0)
    })

    await t.test('where the one that leads is killed, none is left behind', async () => {
      const again = await start(settings)
      const all = listServing(again.child.pid!)
      assert.equal(all.length, 3)
      again.child.kill('SIGKILL')
      await waitUntil(() => all.every(isGone))
    })

    await t.test('what keeps the first from serving is told once', async () => {
      const refused = run(MAIN, [], { ...settings, PORT: '8000', HOST: '192.0.2.1' })
      assert.equal(await refused.ended, 1)
      assert.equal(await refused.errors, 'HOST 192.0.2.1 is not an address of this machine\n')
    })
  },
)
