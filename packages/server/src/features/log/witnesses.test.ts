import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { parseInstancePolicy } from '@proofdesk/proof/instance-policy'
import { openCheckpoint } from '@proofdesk/proof/log/open-checkpoint'
import { parseAddCheckpoint } from '@proofdesk/proof/log/witness'
import { verifyDocument, type DocumentReport } from '@proofdesk/proof/verify-document'
import { sql } from 'kysely'
import { ENGINES, startTestServer, type TestServer } from '../../testing.ts'
import { must, sendCollection } from '../../testing/collections.ts'
import { startFakeWitness, type FakeWitness, type WitnessManners } from '../../testing/fake-witness.ts'
import { waitUntil } from '../../testing/wait-until.ts'

/** Makes these the witnesses of a server, all of which are needed. */
async function nameWitnesses(server: TestServer, lines: readonly string[], threshold = 'all'): Promise<void> {
  const names = lines.map((line) => line.split(' ')[1])
  server.config.witnessPolicy = [...lines, `group g ${threshold} ${names.join(' ')}`, 'quorum g', ''].join('\n')
  await server.restart()
}

async function approve(server: TestServer): Promise<DocumentReport> {
  const ada = await server.signIn('ada')
  const sam = await server.signIn('sam', { is_staff: true })
  const id = await sendCollection(ada)
  const { proofid } = must(await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Fine' }), 200)
  return judge(server, proofid)
}

/** As a stranger with the file and the policy. */
async function judge(server: TestServer, proofid: string): Promise<DocumentReport> {
  const { db, blobs } = server.deps
  const { sealed_key } = await db
    .selectFrom('proofs')
    .select('sealed_key')
    .where('proofid', '=', proofid)
    .executeTakeFirstOrThrow()
  const pdf = new Uint8Array(await buffer(await blobs.read(sealed_key!)))
  return verifyDocument(pdf, { policy: await readPolicy(server), now: server.clock.now() })
}

async function readPolicy(server: TestServer) {
  return parseInstancePolicy(new Uint8Array((await server.inject('/log/instance-policy')).rawPayload))
}

async function readHead(server: TestServer) {
  return openCheckpoint((await server.inject('/log/checkpoint')).body, (await readPolicy(server)).log)
}

const stateOf = ({ steps }: DocumentReport, wanted: string) => steps.find(({ name }) => name === wanted)?.state
const warnings = ({ logLines }: TestServer) =>
  logLines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ event }) => event === 'a witness did not sign')

for (const engine of ENGINES)
  describe(`witnesses of the log (${engine})`, () => {
    test('14.60 one installation witnesses another: the proof carries its signature, and confirms the time offline', async (t) => {
      const log = await startTestServer(t, engine)
      const witness = await startTestServer(t, engine, { config: { witnessedLogs: [log.deps.log.verifierKey] } })
      const url = await witness.listen()
      const { verifier_key } = (await witness.inject('/log/witness')).json() as { verifier_key: string }
      await nameWitnesses(log, [`witness them ${verifier_key} ${url}/log/witness`])
      const report = await approve(log)
      assert.equal(report.verdict, 'valid')
      assert.deepEqual([stateOf(report, 'witnesses'), stateOf(report, 'time')], ['passed', 'passed'])
      assert.deepEqual(report.remarks, ['revocation_unknown'])

      const head = await readHead(log)
      assert.deepEqual(
        head.cosignatures.map(({ name }) => name),
        [verifier_key.split('+')[0]],
      )
      const { logs } = (await witness.inject('/log/witness')).json() as { logs: { origin: string; size: number }[] }
      assert.deepEqual([logs[0]?.origin, logs[0]?.size], [log.deps.log.origin, head.checkpoint.size])
      const heads = (await log.inject('/log/checkpoints')).json() as { note: string }[]
      assert.ok((await openCheckpoint(heads[0]!.note, (await readPolicy(log)).log)).isQuorumMet)
      const { witnesses } = (await log.inject('/log/witnesses')).json() as {
        witnesses: { name: string; note: string }[]
      }
      const [shown] = witnesses
      assert.equal(shown?.name, verifier_key.split('+')[0])
      assert.ok((await openCheckpoint(shown!.note, (await readPolicy(log)).log)).isQuorumMet)
      // And the next head continues from there.
      assert.equal(stateOf(await approve(log), 'time'), 'passed')
    })

    test('14.61 the proof carries the first head that enough witnesses signed, however late it is sealed', async (t) => {
      let isHeld = true
      const held: string[] = []
      const server = await startTestServer(t, engine)
      const fake = await startFakeWitness(t, 'example.net/w', server.clock.now)
      server.config.witnessPolicy = `${fake.line}\nquorum examplenetw\n`
      await server.restart({
        onApprovalStep: (step) => {
          if (step !== 'seal-made' || !isHeld) return
          held.push(step)
          throw new Error('held up')
        },
      })
      const ada = await server.signIn('ada')
      const sam = await server.signIn('sam', { is_staff: true })
      const id = await sendCollection(ada)
      await server.settle()
      server.deps.approvalWaitMs = 50
      must(await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Fine' }), 202)
      await waitUntil(() => held.length > 0)
      const [first] = (await readHead(server)).cosignatures
      assert.ok(first)
      const asked = fake.asked.length
      server.clock.advance(30 * 24 * 60 * 60 * 1000)
      isHeld = false
      const proofid = await waitUntil(async () => {
        server.clock.advance(60_000)
        await server.settle()
        const proofs = server.deps.db.selectFrom('proofs').select('proofid').where('state', '=', 'published')
        return (await proofs.executeTakeFirst())?.proofid
      })
      const report = await judge(server, proofid)
      assert.equal(stateOf(report, 'time'), 'passed')
      assert.equal(report.steps.find(({ name }) => name === 'time')?.details['seenAt'], first.time)
      assert.equal(fake.asked.length, asked)
    })

    test('14.62 without enough witnesses an approval is sealed all the same, as not witnessed; who did not sign is not asked for a minute', async (t) => {
      const server = await startTestServer(t, engine)
      server.clock.stop()
      const [good, bad] = [
        await startFakeWitness(t, 'example.net/good', server.clock.now),
        await startFakeWitness(t, 'example.net/bad', server.clock.now),
      ]
      bad.behave(({ reply }) => void reply.writeHead(500).end())
      await nameWitnesses(server, [good.line, bad.line])
      const report = await approve(server)
      assert.equal(report.verdict, 'valid')
      assert.ok(report.remarks.includes('not_witnessed'))
      assert.equal(stateOf(report, 'witnesses'), 'unknown')
      const asked = bad.asked.length
      await approve(server)
      assert.equal(bad.asked.length, asked)
      assert.ok(good.asked.length >= 2)
      assert.deepEqual(warnings(server).map(({ witness, why, detail }) => [witness, why, detail])[0], [
        'example.net/bad',
        'refused',
        500,
      ])
    })

    test('14.63 a head that lacks witnesses is offered again once a minute, by one of all who look', async (t) => {
      const server = await startTestServer(t, engine)
      const fake = await startFakeWitness(t, 'example.net/w', server.clock.now)
      fake.behave(({ reply }) => void reply.writeHead(503).end())
      await nameWitnesses(server, [fake.line])
      await approve(server)
      const tendOften = () => Promise.all([1, 2, 3].map(() => server.deps.log.tend()))
      await tendOften()
      server.clock.stop()
      const asked = fake.asked.length
      await tendOften()
      assert.equal(fake.asked.length, asked)
      fake.behave(async ({ reply, sign }) => void reply.end(await sign()))
      server.clock.advance(61_000)
      await tendOften()
      await waitUntil(async () => (await readHead(server)).isQuorumMet)
      assert.equal(fake.asked.length, asked + 1)
      // Witnessed now: there is nothing to ask.
      server.clock.advance(61_000)
      await tendOften()
      assert.equal(fake.asked.length, asked + 1)
    })

    test('14.64 a witness that knows another size is shown the way from there', async (t) => {
      const server = await startTestServer(t, engine)
      const fake = await startFakeWitness(t, 'example.net/w', server.clock.now)
      fake.behave(async ({ body, reply, sign }) => {
        const { oldSize, path } = parseAddCheckpoint(body)
        if (oldSize !== 2) reply.writeHead(409, { 'content-type': 'text/x.tlog.size' }).end('2\n')
        else {
          assert.ok(path.length > 0)
          reply.end(await sign())
        }
      })
      await nameWitnesses(server, [fake.line])
      assert.equal(stateOf(await approve(server), 'time'), 'passed')
      assert.equal(fake.asked.length, 2)
    })

    test('14.65 what witnesses signed is only added to', async (t) => {
      const server = await startTestServer(t, engine)
      const fake = await startFakeWitness(t, 'example.net/w', server.clock.now)
      await nameWitnesses(server, [fake.line])
      await approve(server)
      for (const statement of [
        "update log_cosignatures set line = 'x'",
        'delete from log_cosignatures',
        ...(engine === 'sqlite'
          ? ["insert or replace into log_cosignatures select size, witness, 'x', 1 from log_cosignatures"]
          : ['truncate log_cosignatures']),
      ])
        await assert.rejects(sql.raw(statement).execute(server.deps.db), /the log is only added to/, statement)
    })
  })

describe('hostile witnesses', () => {
  const HOSTILE: Record<string, [why: string, WitnessManners]> = {
    'signs for another': [
      'wrong_signature',
      async ({ reply, sign }) => void reply.end((await sign()).replace('example.net/w', 'example.org/w')),
    ],
    'signs something else': [
      'wrong_signature',
      async ({ reply, sign }) => {
        const line = await sign()
        reply.end(`${line.slice(0, -10)}${line.at(-10) === 'A' ? 'B' : 'A'}${line.slice(-9)}`)
      },
    ],
    'signs in the future': ['wrong_time', async ({ reply, sign }) => void reply.end(await sign(4_000_000_000))],
    'signs in the past': ['wrong_time', async ({ reply, sign }) => void reply.end(await sign(1))],
    'answers without end': [
      'too_long',
      ({ reply }) => {
        const line = 'x'.repeat(10_000)
        const more = () => {
          while (!reply.destroyed && reply.write(line));
        }
        reply.on('drain', more)
        more()
      },
    ],
    'answers what is no signature': ['malformed', ({ reply }) => void reply.end('hello\n')],
    'answers many signatures': ['malformed', async ({ reply }) => void reply.end('\u2014 a AAAAAAA=\n'.repeat(150))],
    'answers nothing': ['malformed', ({ reply }) => void reply.end()],
    'sends elsewhere': ['refused', ({ reply }) => void reply.writeHead(307, { location: '/elsewhere' }).end()],
    'says it knows another history': ['refused', ({ reply }) => void reply.writeHead(422).end()],
    'claims a larger tree': ['ahead', ({ reply }) => void reply.writeHead(409).end('9000000\n')],
    'names a size that is none': ['malformed', ({ reply }) => void reply.writeHead(409).end('-1\n')],
    'names another size each time': [
      'refused',
      ({ body, reply }) => void reply.writeHead(409).end(parseAddCheckpoint(body).oldSize === 1 ? '2\n' : '1\n'),
    ],
    'hangs up': ['unreachable', ({ reply }) => void reply.destroy()],
    'never answers': ['slow', () => {}],
  }
  test('14.66 whatever a witness answers, nothing of it is kept unless it is a right signature, and no approval fails', async (t) => {
    const server = await startTestServer(t)
    const fake: FakeWitness = await startFakeWitness(t, 'example.net/w', server.clock.now)
    await nameWitnesses(server, [fake.line])
    for (const [what, [why, manners]] of Object.entries(HOSTILE)) {
      fake.behave(manners)
      const before = warnings(server).length
      const report = await approve(server)
      assert.equal(report.verdict, 'valid', what)
      assert.ok(report.remarks.includes('not_witnessed'), what)
      assert.equal(warnings(server)[before]?.['why'], why, what)
      assert.ok(!fake.asked.some((body) => body === ''), 'no redirect was followed')
      server.clock.advance(61_000)
    }
    const { rows } = await sql<{ count: number }>`select count(*) as count from log_cosignatures`.execute(
      server.deps.db,
    )
    assert.equal(Number(rows[0]?.count), 0)
    fake.behave(async ({ reply, sign }) => void reply.end(await sign()))
    assert.equal(stateOf(await approve(server), 'time'), 'passed')
  })
})
