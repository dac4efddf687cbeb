import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openLogger } from '../logger.ts'
import { makeClock } from '../testing/clock.ts'
import { ENGINES, makeTestDatabase } from '../testing/engines.ts'
import { waitUntil } from '../testing/wait-until.ts'
import { watchQueries } from '../testing/watch-queries.ts'
import { defineWork, enqueue, HopelessWork, type Handler, type WorkKind } from './outbox.ts'
import { makeOutboxWorker } from './worker.ts'

const removeBlob = defineWork<{ key: string }>('remove_blob')
const drawThumbnail = defineWork<{ content_id: number }>('draw_thumbnail', { atOnce: 1 })
const verificationMail = defineWork<{ user_id: number }>('verification_mail')
const sealProof = defineWork<{ proof_id: number }>('seal_proof', { atOnce: 8 })
const approvalMail = defineWork<{ user_id: number }>('approval_mail', { atOnce: 16, isUnhurried: true })

function handle<P extends object>(of: WorkKind<P>, run: (payload: P) => Promise<void>): Handler {
  return { of, run: (payload) => run(payload as P) }
}

for (const engine of ENGINES) {
  test(`the outbox (${engine})`, async (t) => {
    const dataDir = await mkdtemp(`${tmpdir()}/proofdesk-outbox-`)
    const testDatabase = makeTestDatabase(engine, dataDir)
    const database = await testDatabase.open()
    const { db } = database
    t.after(async () => {
      await database.close()
      await testDatabase.drop()
      await rm(dataDir, { recursive: true })
    })
    const clock = makeClock()
    const logLines: string[] = []
    const logger = openLogger('debug', (line) => logLines.push(line))
    const rows = () => db.selectFrom('outbox').selectAll().execute()
    const begin = async (...handlers: Handler[]) => {
      const worker = makeOutboxWorker({ db, engine: database.engine, now: clock.now, logger })
      await worker.start(handlers)
      return worker
    }

    await t.test('work is done after the commit, once, and its row goes', async () => {
      const done: string[] = []
      const worker = await begin(handle(removeBlob, async ({ key }) => void done.push(key)))
      await db.transaction().execute((transaction) => enqueue(transaction, clock.now(), removeBlob({ key: 'a' })))
      await assert.rejects(
        db.transaction().execute(async (transaction) => {
          await enqueue(transaction, clock.now(), removeBlob({ key: 'never' }))
          throw new Error('undo')
        }),
      )
      worker.ring()
      await worker.settle()
      await worker.close()
      assert.deepEqual(done, ['a'])
      assert.deepEqual(await rows(), [])
    })

    await t.test('9.34 people take turns: eight of one delay the first of another by the one under way', async () => {
      const done: number[] = []
      let addOther = async () => {}
      const worker = await begin(
        handle(drawThumbnail, async ({ content_id }) => {
          done.push(content_id)
          await addOther()
        }),
      )
      addOther = async () => {
        addOther = async () => {}
        for (const id of [100, 101]) await enqueue(db, clock.now(), drawThumbnail({ content_id: id }, 2))
      }
      await db.transaction().execute(async (transaction) => {
        for (let id = 1; id <= 8; id += 1) await enqueue(transaction, clock.now(), drawThumbnail({ content_id: id }, 1))
      })
      worker.ring()
      await worker.settle()
      await worker.close()
      assert.deepEqual(done, [1, 100, 2, 101, 3, 4, 5, 6, 7, 8])
    })

    await t.test('what fails is tried again later and later, and told without words', async () => {
      let tries = 0
      const worker = await begin(
        handle(removeBlob, async () => {
          tries += 1
          if (tries < 4) throw Object.assign(new Error('no route to ada@example.org'), { code: 'EHOSTUNREACH' })
        }),
      )
      clock.stop()
      await enqueue(db, clock.now(), removeBlob({ key: 'a' }))
      const delays = []
      for (let i = 0; i < 3; i++) {
        worker.ring()
        await worker.settle()
        const [row] = await rows()
        assert.equal(row?.attempts, i + 1)
        assert.equal(row?.last_error, 'EHOSTUNREACH')
        delays.push((row?.due_at ?? 0) - clock.now())
        worker.ring()
        await worker.settle()
        assert.equal(tries, i + 1)
        clock.advance(delays[i] ?? 0)
      }
      assert.deepEqual(delays, [1000, 2000, 4000])
      worker.ring()
      await worker.settle()
      await worker.close()
      assert.deepEqual(await rows(), [])
      assert.ok(!logLines.join('').includes('ada@'))
    })

    await t.test('a slow kind delays no other', async () => {
      let release = () => {}
      const held = new Promise<void>((resolve) => (release = resolve))
      const done: number[] = []
      const worker = await begin(
        handle(verificationMail, () => held),
        handle(sealProof, async ({ proof_id }) => void done.push(proof_id)),
      )
      for (let id = 1; id <= 5; id++) await enqueue(db, clock.now(), verificationMail({ user_id: id }))
      worker.ring()
      await enqueue(db, clock.now(), sealProof({ proof_id: 7 }))
      worker.ring()
      for (let i = 0; i < 100 && done.length === 0; i++) await pause(10)
      assert.deepEqual(done, [7])
      release()
      await worker.settle()
      await worker.close()
      assert.deepEqual(await rows(), [])
    })

    await t.test('who waits for each row before they add the next waits for no other', async () => {
      let isDone = () => {}
      const worker = await begin(handle(sealProof, async () => isDone()))
      const begun = performance.now()
      for (let id = 1; id <= 30; id++) {
        const done = new Promise<void>((resolve) => (isDone = resolve))
        await enqueue(db, clock.now(), sealProof({ proof_id: id }))
        worker.ring([sealProof.kind])
        await done
      }
      const took = performance.now() - begun
      await worker.settle()
      await worker.close()
      // Taken up five times a second, all but the first ten would take four seconds.
      assert.ok(took < 2000, `${took} ms`)
    })

    await t.test('where a lane is full, rows are taken up whenever half of its places are free', async () => {
      const watched = watchQueries(db)
      const worker = makeOutboxWorker({ db: watched.db, engine: database.engine, now: clock.now, logger })
      let done = 0
      await worker.start([
        handle(sealProof, async ({ proof_id }) => {
          await pause(10 * (1 + (proof_id % 8)))
          done += 1
        }),
      ])
      await worker.settle()
      const ROWS = 48
      await db.transaction().execute(async (transaction) => {
        for (let id = 1; id <= ROWS; id += 1) await enqueue(transaction, clock.now(), sealProof({ proof_id: id }))
      })
      const before = countTakings(watched.kinds)
      worker.ring([sealProof.kind])
      await worker.settle()
      await worker.close()
      assert.equal(done, ROWS)
      // Eight at first, then four or more at a time; the last look finds none.
      const takings = countTakings(watched.kinds) - before
      assert.ok(takings <= 2 + (ROWS - 8) / 4, `taken up ${takings} times`)
    })

    await t.test(
      'rows for which nobody looks at a clock are taken up together, though their lane is empty',
      async () => {
        const watched = watchQueries(db)
        const worker = makeOutboxWorker({ db: watched.db, engine: database.engine, now: clock.now, logger })
        let done = 0
        await worker.start([handle(approvalMail, async () => void (done += 1))])
        const add = async (id: number) => {
          await enqueue(db, clock.now(), approvalMail({ user_id: id }))
          worker.ring([approvalMail.kind])
        }
        // The first ones come alone, and wait for nothing.
        for (let id = 1; id <= 10; id += 1) {
          await add(id)
          await waitUntil(() => done === id)
        }
        const before = countTakings(watched.kinds)
        for (let id = 11; id <= 20; id += 1) {
          await add(id)
          await pause(2)
        }
        await worker.settle()
        await worker.close()
        assert.equal(done, 20)
        const takings = countTakings(watched.kinds) - before
        assert.ok(takings <= 4, `taken up ${takings} times`)
      },
    )

    await t.test('several workers on one table do each row once', async () => {
      const done: string[] = []
      const handler = handle(removeBlob, async ({ key }) => {
        await pause(1)
        done.push(key)
      })
      const workers = [await begin(handler), await begin(handler), await begin(handler)]
      const keys = Array.from({ length: 30 }, (_, index) => `k${index}`)
      for (const key of keys) await enqueue(db, clock.now(), removeBlob({ key }))
      for (const worker of workers) worker.ring()
      for (const worker of workers) await worker.settle()
      for (const worker of workers) await worker.close()
      assert.deepEqual(done.sort(), keys.sort())
    })

    await t.test('21.6 what takes longer than a hold is left to whoever works on it', async () => {
      const { promise: held, resolve: release } = Promise.withResolvers<void>()
      let begun = 0
      const handler = handle(removeBlob, async () => {
        begun += 1
        await held
      })
      const { now } = makeClock()
      const open = async () => {
        const worker = makeOutboxWorker({ db, engine: 'postgres', now, logger, holdMs: 3000 })
        await worker.start([handler])
        return worker
      }
      const workers = [await open(), await open()]
      await enqueue(db, now(), removeBlob({ key: 'a' }))
      workers[0]!.ring()
      const first = await waitUntil(async () => (await rows())[0]?.held_until ?? undefined)
      await waitUntil(async () => {
        for (const worker of workers) worker.ring()
        return ((await rows())[0]?.held_until ?? 0) > first + 3000
      })
      assert.equal(begun, 1)
      release()
      for (const worker of workers) await worker.settle()
      for (const worker of workers) await worker.close()
      assert.deepEqual([begun, await rows()], [1, []])
    })

    await t.test('21.7 a clock that is set back makes nothing wait that is due', async () => {
      clock.stop()
      const before = clock.now()
      await enqueue(db, before, removeBlob({ key: 'new' }))
      let tries = 0
      const failing = await begin(
        handle(sealProof, async () => {
          tries += 1
          throw new Error('not yet')
        }),
      )
      await enqueue(db, before, sealProof({ proof_id: 1 }))
      failing.ring()
      await failing.settle()
      await failing.close()
      clock.advance(-6 * 60 * 60 * 1000)
      const done: string[] = []
      const worker = await begin(
        handle(removeBlob, async ({ key }) => void done.push(key)),
        handle(sealProof, async () => void (tries += 1)),
      )
      await worker.settle()
      assert.deepEqual([done, tries], [['new'], 1])
      clock.advance(1000)
      worker.ring()
      await worker.settle()
      await worker.close()
      assert.deepEqual([tries, await rows()], [2, []])
    })

    await t.test('21.7 a hold of a clock that ran ahead lasts no longer than one of the present clock', async () => {
      clock.stop()
      await enqueue(db, clock.now(), removeBlob({ key: 'held' }))
      await db
        .updateTable('outbox')
        .set({ held_until: clock.now() + 6 * 60 * 60 * 1000 })
        .execute()
      const done: string[] = []
      const worker = makeOutboxWorker({ db, engine: 'postgres', now: clock.now, logger })
      await worker.start([handle(removeBlob, async ({ key }) => void done.push(key))])
      await worker.settle()
      assert.deepEqual(done, [])
      // And what the clocks of nodes differ by.
      clock.advance(20_000 + 60_000)
      worker.ring()
      await worker.settle()
      await worker.close()
      assert.deepEqual([done, await rows()], [['held'], []])
    })

    await t.test('21.7 a node whose clock is behind ends no hold of another that is at work', async () => {
      clock.stop()
      await enqueue(db, clock.now(), removeBlob({ key: 'held' }))
      const until = clock.now() + 20_000
      await db.updateTable('outbox').set({ held_until: until }).execute()
      const worker = makeOutboxWorker({ db, engine: 'postgres', now: () => clock.now() - 30_000, logger })
      await worker.start([handle(removeBlob, async () => {})])
      await worker.settle()
      await worker.close()
      assert.deepEqual(
        (await db.selectFrom('outbox').select('held_until').execute()).map(({ held_until }) => held_until),
        [until],
      )
      await db.deleteFrom('outbox').execute()
    })

    await t.test('what can never succeed is dropped', async () => {
      const worker = await begin(
        handle(removeBlob, async () => {
          throw new HopelessWork('refused')
        }),
      )
      await enqueue(db, clock.now(), removeBlob({ key: 'a' }))
      worker.ring()
      await worker.settle()
      await worker.close()
      assert.deepEqual(await rows(), [])
    })

    await t.test('a row whose worker died is taken up again', async () => {
      await enqueue(db, clock.now(), removeBlob({ key: 'orphan' }))
      await db
        .updateTable('outbox')
        .set({ held_until: clock.now() + 20_000 })
        .execute()
      const done: string[] = []
      const worker = await begin(handle(removeBlob, async ({ key }) => void done.push(key)))
      await worker.settle()
      // One process serves an SQLite file, so there nobody else can hold it; elsewhere the hold must pass.
      assert.deepEqual(done, engine === 'sqlite' ? ['orphan'] : [])
      clock.advance(20_001)
      worker.ring()
      await worker.settle()
      await worker.close()
      assert.deepEqual(done, ['orphan'])
    })

    await t.test('a kind that nobody knows is left for who does', async () => {
      await enqueue(db, clock.now(), sealProof({ proof_id: 1 }))
      const worker = await begin(handle(removeBlob, async () => {}))
      await worker.settle()
      await worker.close()
      assert.equal((await rows()).length, 1)
    })
  })
}

/** Each is one conditional update, however many rows it takes. */
const countTakings = (kinds: readonly string[]): number => kinds.filter((kind) => kind === 'UpdateQueryNode').length
