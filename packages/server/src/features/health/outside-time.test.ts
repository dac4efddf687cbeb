import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HealthReport } from '@proofdesk/contract/health'
import { ENGINES, startTestServer, type TestServer } from '../../testing.ts'
import { must, sendCollection } from '../../testing/collections.ts'
import { startFakeWitness } from '../../testing/fake-witness.ts'

const MINUTE_MS = 60_000

async function readOutsideTime(server: TestServer): Promise<HealthReport['outside_time']> {
  return must(await (await server.signIn('sue', { is_superuser: true })).get('/health/'), 200).outside_time
}

async function approve(server: TestServer): Promise<void> {
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  must(await sam.post(`/admin/${await sendCollection(ada)}/approve/`, { admin_desc: 'Fine' }), 200)
}

for (const engine of ENGINES)
  test(`17.12 witnesses are told with what they signed last, why not since, and how much waits (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const one = await startFakeWitness(t, 'w.example/one', server.clock.now)
    const two = await startFakeWitness(t, 'w.example/two', server.clock.now)
    server.config.witnessPolicy = `${one.line}\n${two.line}\ngroup g all wexampleone wexampletwo\nquorum g\n`
    await server.restart()
    await approve(server)
    const signed = await readOutsideTime(server)
    assert.deepEqual([signed.state, signed.is_set, signed.waiting, signed.waiting_since], ['well', true, 0, null])
    assert.ok(signed.witnessed_size > 0 && signed.witnessed_at !== null)
    assert.deepEqual(
      signed.witnesses.map(({ name, signed_at, refusal }) => [name, signed_at !== null, refusal]),
      [
        ['w.example/one', true, null],
        ['w.example/two', true, null],
      ],
    )

    two.behave(({ reply }) => void reply.writeHead(500).end())
    await approve(server)
    const waiting = await readOutsideTime(server)
    assert.deepEqual([waiting.state, waiting.witnessed_size], ['well', signed.witnessed_size])
    assert.ok(waiting.waiting > 0 && waiting.waiting_since !== null)
    assert.deepEqual(
      waiting.witnesses.map(({ refusal }) => refusal),
      [null, 'refused'],
    )
    server.clock.advance(11 * MINUTE_MS)
    assert.equal((await readOutsideTime(server)).state, 'watch')
  })

test('17.12 where nobody is asked nothing waits', async (t) => {
  const server = await startTestServer(t, 'sqlite')
  await approve(server)
  assert.deepEqual(await readOutsideTime(server), {
    state: 'well',
    is_set: false,
    witnesses: [],
    witnessed_size: 0,
    witnessed_at: null,
    waiting: 0,
    waiting_since: null,
  })
})
