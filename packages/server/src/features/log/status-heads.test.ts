import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import { formatVerifierKey } from '@proofdesk/proof/log/note'
import { parsePolicy } from '@proofdesk/proof/log/policy'
import { MAX_LATER_ENTRIES } from '@proofdesk/proof/log/status-page'
import { makeStatusPages } from '../../log/status/make-status-pages.ts'
import { wantPage } from '../../log/status/queries.ts'
import { countLeast, findWitnessedHead } from '../../log/witnesses/find-witnessed.ts'
import { ENGINES, startTestServer, type TestEngine } from '../../testing.ts'
import { watchQueries } from '../../testing/watch-queries.ts'
import { startFakeWitness } from '../../testing/fake-witness.ts'
import { addEntries, approve, judge, readPage } from '../../testing/status-pages.ts'
import { openStatusPages } from './service.ts'

/** A server whose policy asks for both of two witnesses. */
async function startWithTwo(t: TestContext, engine: TestEngine) {
  const server = await startTestServer(t, engine)
  const fakes = [
    await startFakeWitness(t, 'a.example/w', server.clock.now),
    await startFakeWitness(t, 'b.example/w', server.clock.now),
  ]
  const lines = fakes.map(({ line }) => line).join('\n')
  server.config.witnessPolicy = `${lines}\ngroup all all aexamplew bexamplew\nquorum all\n`
  await server.restart()
  return { server, fakes }
}

for (const engine of ENGINES)
  describe(`heads that status pages are shown under (${engine})`, () => {
    test('14.94 a page is shown under the newest head that few entries lead to, with all of them, and never under a smaller one than before', async (t) => {
      const server = await startTestServer(t, engine)
      await approve(server)
      await wantPage(server.deps.db, 0)
      await server.deps.log.tend()
      const { size: from, index } = await readPage(server)
      const sizes: number[] = []
      const grow = async (count: number) => {
        await addEntries(server, count)
        await server.deps.log.sign()
        const { checkpoint, later } = await readPage(server)
        assert.equal(later.length, checkpoint.size - from)
        sizes.push(checkpoint.size - index)
      }
      for (const count of [1, 100, 150, 3, 100, 500, 1000]) await grow(count)
      assert.deepEqual(sizes, [2, 102, 252, 255, 255, 255, 255])
    })

    test('14.94 … which is written once for all who ask', async (t) => {
      const server = await startTestServer(t, engine)
      await approve(server)
      await wantPage(server.deps.db, 0)
      await server.deps.log.tend()
      const { db: reads, columns } = watchQueries(server.deps.reads)
      const readStatusPage = openStatusPages({ ...server.deps, reads })
      const ask = async () => {
        columns.clear()
        const text = await readStatusPage(0)
        return { text, isWritten: columns.has('entry') }
      }
      const first = await ask()
      const second = await ask()
      assert.deepEqual([first.isWritten, second.isWritten, first.text === second.text], [true, false, true])
      await addEntries(server, 1)
      await server.deps.log.sign()
      const third = await ask()
      assert.deepEqual([third.isWritten, third.text], [true, (await server.inject('/log/status/0')).body])
      await wantPage(server.deps.db, 0)
      await server.deps.log.tend()
      const fourth = await ask()
      assert.deepEqual([fourth.isWritten, fourth.text === third.text], [true, false])
    })

    test('14.94 … else under the first one that has it; where that is too far for verifiers there is none, until it is made anew', async (t) => {
      const server = await startTestServer(t, engine)
      await approve(server)
      const make = async (before: number, after: number) => {
        await wantPage(server.deps.db, 0)
        const slow = {
          async list() {
            await addEntries(server, before)
            return new Set<number>()
          },
        }
        await makeStatusPages(server.deps, slow)
        await addEntries(server, after)
        await server.deps.log.sign()
      }
      await make(300, 200)
      assert.equal((await readPage(server)).later.length, 501)
      await make(0, MAX_LATER_ENTRIES)
      assert.equal((await server.inject('/log/status/0')).statusCode, 204)
      await make(0, 0)
      assert.equal((await readPage(server)).later.length, 1)
      // What came meanwhile is too much already: it is tried again.
      const { index } = await readPage(server)
      await make(513, 0)
      assert.equal((await readPage(server)).index, index)
      assert.equal((await server.deps.db.selectFrom('log_status_pages').selectAll().execute()).length, 1)
      await server.deps.log.tend()
      const again = await readPage(server)
      assert.deepEqual([again.later.length, again.index > index + 513], [1, true])
    })

    test('14.94 … while witnesses come and go, as of when the first of them saw that head', async (t) => {
      const server = await startTestServer(t, engine)
      const fake = await startFakeWitness(t, 'example.net/w', server.clock.now)
      server.config.witnessPolicy = `${fake.line}\nquorum examplenetw\n`
      await server.restart()
      server.clock.stop()
      const proofid = await approve(server)
      const heads: number[] = []
      const grow = async (count: number, isReached: boolean) => {
        fake.behave(async ({ reply, sign }) => {
          if (isReached) reply.end(await sign())
          else reply.writeHead(500).end()
        })
        // Who did not sign is not asked for a minute.
        server.clock.advance(120_000)
        await addEntries(server, count)
        await server.deps.log.sign()
        await server.deps.log.gather()
        const { checkpoint, size, cosignatures } = await readPage(server)
        heads.push(checkpoint.size)
        const { step } = await judge(server, proofid)
        const seenAt = cosignatures[0]?.time
        assert.deepEqual(
          [step?.code, step?.details['asOf']],
          seenAt === undefined ? ['status_unwitnessed', step?.details['asOf']] : [undefined, seenAt],
        )
        return {
          head: checkpoint.size,
          size,
          isSeen: seenAt !== undefined,
          isNow: seenAt === Math.floor(server.clock.now() / 1000),
        }
      }
      const make = async () => {
        await wantPage(server.deps.db, 0)
        await makeStatusPages(server.deps, { list: async () => new Set() })
      }
      await make()
      const first = await grow(1, true)
      assert.deepEqual([first.isSeen, first.isNow], [true, true])
      // Nobody else has seen more.
      assert.deepEqual(await grow(5, false), { ...first, isNow: false })
      const second = await grow(5, true)
      assert.deepEqual([second.head, second.isNow], [first.head + 10, true])
      assert.equal((await grow(300, true)).head, second.head)
      // Made anew while no witness answers: under the first head that has it, which is not left for a smaller one.
      await make()
      const unseen = await grow(1, false)
      assert.deepEqual([unseen.size > second.size, unseen.isSeen], [true, false])
      assert.equal((await grow(9, false)).head, unseen.head)
      const third = await grow(2, true)
      assert.deepEqual([third.head, third.isNow], [unseen.head + 11, true])
      // Where witnesses come late, the first that they signed.
      await make()
      const late = await grow(300, false)
      assert.equal(late.isSeen, false)
      const [far, further] = [await grow(10, true), await grow(10, true)]
      assert.deepEqual([far.head, far.isNow, further.head], [late.head + 10, true, far.head])
      assert.deepEqual(
        heads,
        heads.toSorted((one, other) => one - other),
      )
    })

    test('14.94 … however many heads came since that too few witnesses signed', async (t) => {
      const { server } = await startWithTwo(t, engine)
      const { db, log } = server.deps
      await approve(server)
      await wantPage(db, 0)
      await log.tend()
      await log.gather()
      await addEntries(server, 10)
      await log.sign()
      await log.gather()
      const { checkpoint, isQuorumMet, size } = await readPage(server)
      assert.deepEqual([isQuorumMet, checkpoint.size > size + 10], [true, true])
      // One of the two is away.
      await addEntries(server, 240)
      const sizes = Array.from({ length: 240 }, (_, at) => checkpoint.size + 1 + at)
      const witness = log.witnesses.all[0]!.id
      await db
        .insertInto('log_checkpoints')
        .values(sizes.map((one) => ({ size: one, note: 'a head\n', signed_at: 1 })))
        .execute()
      await db
        .insertInto('log_cosignatures')
        .values(sizes.map((one) => ({ size: one, witness, line: 'a signature\n', cosigned_at: 1 })))
        .execute()
      assert.equal((await readPage(server)).checkpoint.size, checkpoint.size)
      assert.equal((await findWitnessedHead(db, log.witnesses.policy, checkpoint.size))?.size, undefined)
    })

    test('14.94 … and with what too few witnesses signed, for whoever asks for fewer', async (t) => {
      const { server, fakes } = await startWithTwo(t, engine)
      fakes[1]!.behave(({ reply }) => void reply.writeHead(500).end())
      await approve(server)
      await wantPage(server.deps.db, 0)
      await server.deps.log.tend()
      await server.deps.log.gather()
      const { cosignatures, isQuorumMet } = await readPage(server)
      assert.deepEqual([cosignatures.map(({ name }) => name), isQuorumMet], [['a.example/w'], false])
    })
  })

test('the fewest witnesses that meet a policy are counted through its groups', () => {
  const key = (name: string, at: number) => formatVerifierKey(name, new Uint8Array(32).fill(at))
  const witnesses = ['a', 'b', 'c', 'd', 'e'].map((name, at) => `witness ${name} ${key(`${name}.example`, at + 2)}\n`)
  const count = (...lines: string[]) =>
    countLeast(parsePolicy(`log ${key('log.example', 1)}\n${witnesses.join('')}${lines.join('\n')}\n`))
  assert.equal(count('quorum none'), 1)
  assert.equal(count('quorum c'), 1)
  assert.equal(count('group g 2 a b c', 'quorum g'), 2)
  assert.equal(count('group g all a b c', 'group h any g d', 'quorum h'), 1)
  assert.equal(count('group g all a b c', 'group h 2 g d e', 'quorum h'), 2)
  assert.equal(count('group g all a b c', 'group h all g d e', 'quorum h'), 5)
})
