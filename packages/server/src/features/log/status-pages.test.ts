import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { toHex } from '@proofdesk/proof/bytes'
import { PAGE_ENTRIES, readStatusBit } from '@proofdesk/proof/log/status-page'
import { parseStatement } from '@proofdesk/proof/log/statements'
import type { StatusSource } from '@proofdesk/proof/verify-document'
import { sql } from 'kysely'
import { inTransaction } from '../../db/in-transaction.ts'
import { appendStatement, toEntry } from '../../log/append-statement.ts'
import { openLoggedEnds } from '../../log/status/logged-ends.ts'
import { makeStatusPages } from '../../log/status/make-status-pages.ts'
import { wantPage } from '../../log/status/queries.ts'
import { ENGINES, startTestServer, type TestServer } from '../../testing.ts'
import { startFakeWitness } from '../../testing/fake-witness.ts'
import {
  addEntries,
  approve,
  changeProof,
  judge,
  moveExpiry,
  readPage,
  readPolicy,
} from '../../testing/status-pages.ts'

const DAY_MS = 24 * 60 * 60 * 1000

async function listStatuses({ deps }: TestServer) {
  const rows = await deps.db.selectFrom('log_entries').select('entry').orderBy('leaf_index').execute()
  return rows
    .map(({ entry }) => parseStatement(new TextEncoder().encode(entry)))
    .filter(({ kind }) => kind === 'status')
}

/** As where another database takes over that had not heard of the last entries yet: no signed head had them. */
async function putLogBack({ deps: { db, engine } }: TestServer, { size, root, asked_size }: PlainHead): Promise<void> {
  const on = (table: string) => (engine === 'sqlite' ? '' : ` on ${table}`)
  await inTransaction(db, async (transaction) => {
    for (const step of [
      `drop trigger log_entries_delete${on('log_entries')}`,
      `drop trigger log_state_update${on('log_state')}`,
      `drop trigger log_tiles_update${on('log_tiles')}`,
      `delete from log_entries where leaf_index >= ${size}`,
      `update log_state set size = ${size}, root = '${root}', asked_size = ${asked_size}`,
    ])
      await sql.raw(step).execute(transaction)
  })
}

interface PlainHead {
  size: number
  root: string
  asked_size: number
}

/** Goes on to the beginning of the next day (UTC). */
function beginDay({ clock }: TestServer): void {
  clock.advance(DAY_MS - (clock.now() % DAY_MS) + 60_000)
}

for (const engine of ENGINES)
  describe(`status pages (${engine})`, () => {
    test('14.80 a revocation, and its undoing, make the page of the approval anew, with its hash in the log', async (t) => {
      const server = await startTestServer(t, engine)
      const [one, other] = [await approve(server), await approve(server)]
      const { statusCode, headers } = await server.inject('/log/status/0')
      assert.deepEqual([statusCode, headers['cache-control']], [204, 'public, max-age=5'])
      assert.equal((await judge(server, one)).step?.code, 'no_status')
      await changeProof(server, 'revoke', one)
      await server.deps.log.tend()
      const page = await readPage(server)
      assert.deepEqual(
        [2, 3].map((index) => readStatusBit(page, index)),
        [true, false],
      )
      assert.ok(page.size >= 5 && page.size < page.checkpoint.size)
      assert.equal((await judge(server, one)).verdict, 'revoked')
      const { verdict, step, asked } = await judge(server, other)
      assert.deepEqual([verdict, step?.state, asked], ['valid', 'passed', [0]])
      assert.ok(Math.abs(Number(step?.details['asOf']) * 1000 - server.clock.now()) < 60_000)

      await changeProof(server, 'reinstate', one)
      await server.deps.log.tend()
      assert.equal(readStatusBit(await readPage(server), 2), false)
      assert.equal((await judge(server, one)).step?.state, 'passed')
      assert.equal((await listStatuses(server)).length, 2)

      // Also before the page is made anew.
      await changeProof(server, 'revoke', other)
      await server.deps.log.sign()
      assert.equal(readStatusBit(await readPage(server), 3), false)
      assert.equal((await judge(server, other)).verdict, 'revoked')
    })

    test('14.81 a page is made anew once a day, and within the hour for approvals that it does not speak of, by one of all who look', async (t) => {
      const server = await startTestServer(t, engine)
      beginDay(server)
      await server.sweep()
      await server.deps.log.tend()
      assert.equal((await listStatuses(server)).length, 0, 'nothing to speak of')
      const proofid = await approve(server)
      const lookOften = async () => {
        await Promise.all([server.sweep(), server.sweep(), server.sweep()])
        await Promise.all([1, 2, 3, 4].map(() => server.deps.log.tend()))
        await server.deps.log.sign()
      }
      await lookOften()
      assert.equal((await listStatuses(server)).length, 1)
      assert.equal((await judge(server, proofid)).step?.state, 'passed')
      const newer = await approve(server)
      // It is among the entries that the page brings along.
      const fresh = await judge(server, newer)
      assert.equal(fresh.step?.state, 'passed')
      assert.equal(readStatusBit(await readPage(server), 4), undefined)
      await lookOften()
      assert.equal((await listStatuses(server)).length, 1, 'not more often than once an hour')
      server.clock.advance(DAY_MS / 24 + 1000)
      await lookOften()
      assert.equal(readStatusBit(await readPage(server), 4), false)
      assert.equal((await judge(server, newer)).step?.state, 'passed')
      server.clock.advance(DAY_MS / 2)
      await lookOften()
      assert.equal((await listStatuses(server)).length, 2, 'nothing new within the day')
      server.clock.advance(DAY_MS / 2)
      await lookOften()
      assert.equal((await listStatuses(server)).length, 3)
      assert.equal((await judge(server, newer)).step?.state, 'passed')
    })

    test('14.81 … and of two nodes that make one at once the first has its entry in the log', async (t) => {
      const server = await startTestServer(t, engine)
      await approve(server)
      await wantPage(server.deps.db, 0)
      await wantPage(server.deps.db, 0)
      const other = { list: async () => new Set([3]) }
      await makeStatusPages(server.deps, {
        async list() {
          server.clock.advance(1000)
          await makeStatusPages(server.deps, other)
          return new Set([2])
        },
      })
      await server.deps.log.sign()
      assert.equal((await listStatuses(server)).length, 1)
      assert.deepEqual((await readPage(server)).bits[0], 0b1_0000)
      assert.equal(await makeStatusPages(server.deps, other), false, 'all that was asked for is done')
    })

    test('14.81 … and one that was dated by a clock that ran ahead once the clock is right', async (t) => {
      const server = await startTestServer(t, engine)
      const proofid = await approve(server)
      server.clock.advance(30 * DAY_MS)
      await server.sweep()
      await server.deps.log.tend()
      const ahead = await readPage(server)
      server.clock.advance(-30 * DAY_MS)
      assert.equal((await judge(server, proofid)).step?.code, 'status_ahead')
      await server.sweep()
      await server.deps.log.tend()
      assert.ok((await readPage(server)).time < ahead.time - 29 * 86_400)
      assert.equal((await judge(server, proofid)).step?.state, 'passed')
    })

    test('14.81 … but a page that is full waits for no approvals: each has a bit of the next one', async (t) => {
      const server = await startTestServer(t, engine)
      beginDay(server)
      await approve(server)
      await server.sweep()
      await server.deps.log.tend()
      // As where the log had so many entries then, and approvals came since.
      if (engine === 'sqlite') await sql.raw('drop trigger log_entries_insert').execute(server.deps.db)
      const approvals = Array.from({ length: 3 }, (_, i) => {
        const commitment = randomBytes(32).toString('base64url')
        const { entry, leafHash } = toEntry({ kind: 'approve', time: i, commitment })
        return { leaf_index: PAGE_ENTRIES - 1 + i, entry, leaf_hash: toHex(leafHash) }
      })
      await server.deps.db.insertInto('log_entries').values(approvals).execute()
      const isWantedAt = async (size: number) => {
        await server.deps.db.updateTable('log_status_pages').set({ size, wanted: 1, made: 1 }).execute()
        await server.sweep()
        const [page] = await server.deps.db.selectFrom('log_status_pages').selectAll().execute()
        return page!.wanted > page!.made
      }
      server.clock.advance(DAY_MS / 24 + 1000)
      assert.equal(await isWantedAt(PAGE_ENTRIES - 1), true)
      assert.equal(await isWantedAt(PAGE_ENTRIES), false)
      assert.equal(await isWantedAt(PAGE_ENTRIES + 1), false)
    })

    test('14.81 … and of two nodes that say the same in one second the second waits for no place of its own', async (t) => {
      const server = await startTestServer(t, engine)
      await approve(server)
      server.clock.stop()
      const make = (list: () => Promise<Set<number>>) => makeStatusPages(server.deps, { list })
      await wantPage(server.deps.db, 0)
      await make(async () => new Set())
      await wantPage(server.deps.db, 0)
      await make(async () => new Set())
      await wantPage(server.deps.db, 0)
      // On PostgreSQL the first has no place yet when another asks how large the log is, and has one before that is done.
      await make(async () => {
        await server.deps.log.settle()
        return new Set()
      })
      const proofid = await approve(server)
      await server.deps.log.sign()
      assert.equal((await judge(server, proofid)).step?.state, 'passed')
      assert.equal((await listStatuses(server)).length, engine === 'sqlite' ? 3 : 1)
    })

    test('14.81 … and is dated from before the revocations were read, however long that took', async (t) => {
      const server = await startTestServer(t, engine)
      await approve(server)
      await wantPage(server.deps.db, 0)
      server.clock.stop()
      const began = server.clock.now()
      const slow = {
        async list() {
          server.clock.advance(600_000)
          return new Set<number>()
        },
      }
      assert.ok(await makeStatusPages(server.deps, slow))
      await server.deps.log.sign()
      assert.equal((await readPage(server)).time, Math.floor(began / 1000))
    })

    test('14.82 of revocations that come at once each is on the page', async (t) => {
      const server = await startTestServer(t, engine)
      const proofs = [await approve(server), await approve(server), await approve(server), await approve(server)]
      await server.signIn('sue', { is_superuser: true })
      await Promise.all([...proofs.map((proofid) => changeProof(server, 'revoke', proofid)), server.deps.log.tend()])
      await server.deps.log.tend()
      await server.deps.log.sign()
      const page = await readPage(server)
      for (const proofid of proofs) assert.equal((await judge(server, proofid)).verdict, 'revoked')
      assert.equal(
        page.bits.reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0),
        4,
      )
    })

    test('14.80 the log itself says what is revoked: who empties or fills the columns beside a proof changes no page', async (t) => {
      const server = await startTestServer(t, engine)
      const [one, other] = [await approve(server), await approve(server)]
      const set = (proofid: string, revoked_at: number | null, revocation_reason: string | null) =>
        server.deps.db
          .updateTable('proofs')
          .set({ revoked_at, revocation_reason } as never)
          .where('proofid', '=', proofid)
          .execute()
      const readAgain = async () => {
        await wantPage(server.deps.db, 0)
        await server.deps.log.tend()
        await server.deps.log.sign()
        const page = await readPage(server)
        return [2, 3].map((index) => readStatusBit(page, index))
      }
      await changeProof(server, 'revoke', one)
      await set(one, null, null)
      await set(other, server.clock.now(), 'superseded')
      assert.deepEqual(await readAgain(), [true, false])
      assert.deepEqual(await readAgain(), [true, false], 'read on from where it was read last')
      await server.restart()
      assert.deepEqual(await readAgain(), [true, false])
      assert.equal((await judge(server, one)).verdict, 'revoked')
    })

    test('14.80 … and a database that was put back under a running server is read again from the beginning', async (t) => {
      const server = await startTestServer(t, engine)
      const { db, log, reads, now } = server.deps
      const ends = openLoggedEnds(reads)
      const revoke = async (ref: number) => {
        const time = Math.floor(now() / 1000)
        const statement = { kind: 'revoke', ref, time, commitment: randomBytes(32).toString('base64url') } as const
        await inTransaction(
          db,
          async (transaction) => void (await appendStatement(server.deps.engine, transaction, statement)),
        )
        await log.settle()
      }
      await addEntries(server, 5)
      await revoke(2)
      assert.deepEqual([...(await ends.list(now()))], [2])
      const kept = await db.selectFrom('log_state').selectAll().executeTakeFirstOrThrow()
      await addEntries(server, 3)
      await revoke(3)
      assert.deepEqual([...(await ends.list(now()))], [2, 3])
      await putLogBack(server, kept)
      assert.deepEqual([...(await ends.list(now()))], [2], 'what is gone was not revoked')
      await revoke(4)
      await addEntries(server, 9)
      assert.deepEqual([...(await ends.list(now()))], [2, 4], 'what came in the places of what is gone was')
    })

    test('14.85 who gave an approval an earlier expiry than its file says finds it on the page once that day is over, until it is moved again', async (t) => {
      const server = await startTestServer(t, engine)
      beginDay(server)
      const [unlimited, limited] = [await approve(server), await approve(server, 30 * DAY_MS)]
      const proofs = [unlimited, limited, await approve(server, 30 * DAY_MS)]
      const soon = new Date(server.clock.now() + DAY_MS / 2).toISOString()
      await moveExpiry(server, unlimited, soon)
      await moveExpiry(server, limited, soon)
      await moveExpiry(server, proofs[2]!, new Date(server.clock.now() + 60 * DAY_MS).toISOString())
      const tell = async () => {
        await server.sweep()
        await server.deps.log.tend()
        await server.deps.log.sign()
        return Promise.all(proofs.map(async (proofid) => (await judge(server, proofid)).verdict))
      }
      assert.deepEqual(await tell(), ['valid', 'valid', 'valid'])
      server.clock.advance(DAY_MS * 0.75)
      assert.deepEqual(await tell(), ['valid', 'valid', 'valid'], 'its day is not over')
      beginDay(server)
      assert.deepEqual(await tell(), ['revoked', 'revoked', 'valid'])
      await server.restart()
      await moveExpiry(server, unlimited, null)
      assert.deepEqual(await tell(), ['valid', 'revoked', 'valid'])
      server.clock.advance(30 * DAY_MS)
      assert.deepEqual(await tell(), ['valid', 'revoked', 'expired'], 'a longer expiry is not seen')
    })

    test('14.59 a page stands under the newest head that witnesses signed; one that they have not seen tells what is revoked alone', async (t) => {
      const server = await startTestServer(t, engine)
      const fake = await startFakeWitness(t, 'example.net/w', server.clock.now)
      server.config.witnessPolicy = `${fake.line}\nquorum examplenetw\n`
      await server.restart()
      const proofs = [await approve(server), await approve(server)] as const
      await changeProof(server, 'revoke', proofs[0])
      await server.deps.log.tend()
      await server.deps.log.gather()
      const seen = await judge(server, proofs[1])
      assert.deepEqual([seen.verdict, seen.remarks, seen.step?.state], ['valid', [], 'passed'])

      fake.behave(({ reply }) => void reply.writeHead(500).end())
      await approve(server)
      assert.equal((await judge(server, proofs[1])).step?.state, 'passed', 'the newest head is not the page’s')
      await changeProof(server, 'revoke', proofs[1])
      await server.deps.log.tend()
      assert.deepEqual([(await judge(server, proofs[1])).verdict], ['revoked'])
      await changeProof(server, 'reinstate', proofs[1])
      await server.deps.log.tend()
      const unseen = await judge(server, proofs[1])
      assert.deepEqual([unseen.verdict, unseen.step?.code], ['valid', 'status_unwitnessed'])
      assert.deepEqual(unseen.remarks, ['revocation_unknown'])
    })
  })

test('14.83 pages are open to every site, and kept for a minute; the policy says where they are', async (t) => {
  const server = await startTestServer(t)
  const proofid = await approve(server)
  await changeProof(server, 'revoke', proofid)
  await server.deps.log.tend()
  const { headers } = await server.inject('/log/status/0')
  assert.deepEqual(
    [headers['access-control-allow-origin'], headers['cache-control'], headers['content-type']],
    ['*', 'public, max-age=60', 'text/plain; charset=utf-8'],
  )
  // A path that names no page leads nowhere, like that of a tile.
  for (const page of ['1', '999999999999999', '01', '-1', 'x', '%20', '1/2'])
    assert.equal((await server.inject(`/log/status/${page}`)).statusCode, 404, page)
  assert.equal((await readPolicy(server)).statusUrl, `${server.config.publicUrl}/log/status/`)
})

test('14.59 who shows an old status page in place of the newest is found out by its age, and by whoever saw a newer one', async (t) => {
  const server = await startTestServer(t)
  const [proofid, other] = [await approve(server), await approve(server)]
  await changeProof(server, 'revoke', other)
  await server.deps.log.tend()
  const old = (await server.inject('/log/status/0')).body
  await changeProof(server, 'revoke', proofid)
  await server.deps.log.tend()
  const seen = new Map<string, number>()
  const meet: StatusSource['meet'] = async (origin, page, size) => {
    const before = seen.get(`${origin} ${page}`)
    seen.set(`${origin} ${page}`, Math.max(before ?? 0, size))
    return before
  }
  const replay = { read: async () => old }
  // Who never saw another is told as of when it is.
  const first = await judge(server, proofid, replay)
  assert.deepEqual([first.verdict, first.step?.state], ['valid', 'passed'])
  assert.ok(Number(first.step?.details['asOf']) > 0)
  // Two days later it counts for nothing.
  server.clock.advance(2 * DAY_MS + 60_000)
  const late = await judge(server, proofid, replay)
  assert.deepEqual([late.verdict, late.step?.code, late.remarks.at(-1)], ['valid', 'status_old', 'revocation_unknown'])
  // Who saw a newer one notices at once.
  assert.equal((await judge(server, proofid, { meet })).verdict, 'revoked')
  const replayed = await judge(server, proofid, { meet, ...replay })
  assert.deepEqual([replayed.verdict, replayed.step?.code], ['valid', 'status_replayed'])
})
