import { sql } from 'kysely'
import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { test, type TestContext } from 'node:test'
import { inTransaction } from '../db/in-transaction.ts'
import type { Db } from '../db/open.ts'
import { openLogger } from '../logger.ts'
import { makeClock } from '../testing/clock.ts'
import { ENGINES, makeTestDatabase, type TestEngine } from '../testing/engines.ts'
import { waitUntil } from '../testing/wait-until.ts'
import { defineWork, enqueue, enqueueAll, HopelessWork, isWanted, withdraw, type Tries } from './outbox.ts'
import {
  claimRows,
  countWaiting,
  deferRow,
  extendHold,
  hastenRow,
  hastenRows,
  listFailing,
  shortenHolds,
} from './queries.ts'
import { makeOutboxWorker } from './worker.ts'

const HOLD_MS = 20_000
const AN_HOUR_MS = 60 * 60 * 1000
const NO_REASON = { reason: 'nothing', words: null }

const removeBlob = defineWork<{ key: string }>('remove_blob', { atOnce: 1 })
const drawThumbnail = defineWork<{ content_id: number }>('draw_thumbnail')

async function open(t: TestContext, engine: TestEngine) {
  const dataDir = await mkdtemp(`${tmpdir()}/proofdesk-holds-`)
  const testDatabase = makeTestDatabase(engine, dataDir)
  const database = await testDatabase.open()
  t.after(async () => {
    await database.close()
    await testDatabase.drop()
    await rm(dataDir, { recursive: true })
  })
  const { db } = database
  const clock = makeClock()
  clock.stop()
  const logLines: string[] = []
  const logger = openLogger('debug', (line) => logLines.push(line))
  return {
    db,
    clock,
    logLines,
    rows: () => db.selectFrom('outbox').selectAll().orderBy('id').execute(),
    add: (...keys: string[]) =>
      enqueueAll(
        db,
        clock.now(),
        keys.map((key) => removeBlob({ key })),
      ),
    claim: (most = 1) => claimRows(db, removeBlob.kind, clock.now(), HOLD_MS, most),
    makeWorker: () => makeOutboxWorker({ db, engine: database.engine, now: clock.now, logger }),
  }
}

for (const engine of ENGINES) {
  test(`of two who want the same row at once one has it (${engine})`, async (t) => {
    const { db, add, claim, clock, rows } = await open(t, engine)
    await add('a')
    let second: ReturnType<typeof claim> | undefined
    await inTransaction(db, async (transaction) => {
      await transaction
        .updateTable('outbox')
        .set({ held_until: clock.now() + HOLD_MS })
        .execute()
      // Where each has a connection it has chosen the row before the first one's hold is seen, and waits for it.
      second = claim()
      if (engine === 'postgres') await waitUntil(async () => (await countWaitingForLocks(db)) > 0)
    })
    assert.deepEqual(await second, [])
    assert.equal((await rows()).length, 1)
  })

  test(`a hold is lengthened for its own row alone, and not for one that was let go of (${engine})`, async (t) => {
    const { db, add, claim, clock, rows } = await open(t, engine)
    await add('a', 'b')
    const [a, b] = await claim(2)
    const held = clock.now() + HOLD_MS
    await extendHold(db, a!.id, held + 5000)
    assert.deepEqual(
      (await rows()).map((row) => row.held_until),
      [held + 5000, held],
    )
    // It was on its way when the try ended.
    await deferRow(db, b!.id, clock.now() + 1000, NO_REASON)
    await extendHold(db, b!.id, held + 5000)
    clock.advance(1000)
    assert.deepEqual(
      (await claim(2)).map(({ id }) => id),
      [b!.id],
    )
  })

  test(`holds that are too long end earlier, and none is lengthened by that (${engine})`, async (t) => {
    const { db, add, claim, clock, rows } = await open(t, engine)
    await add('a', 'b')
    const [a] = await claim(2)
    const held = clock.now() + HOLD_MS
    await extendHold(db, a!.id, held + AN_HOUR_MS)
    await shortenHolds(db, held + 5000)
    assert.deepEqual(
      (await rows()).map((row) => row.held_until),
      [held + 5000, held],
    )
  })

  test(`what was put off anew meanwhile is not made due (${engine})`, async (t) => {
    const { db, add, clock, rows } = await open(t, engine)
    await add('a')
    const [row] = await rows()
    await deferRow(db, row!.id, clock.now() + 4000, NO_REASON)
    await hastenRow(db, row!.id, clock.now() + 2000, clock.now())
    assert.equal((await rows())[0]?.due_at, clock.now() + 4000)
    await hastenRow(db, row!.id, clock.now() + 4000, clock.now())
    assert.equal((await rows())[0]?.due_at, clock.now())
  })

  test(`what is due soon is not put off by the look whether the clock was set back (${engine})`, async (t) => {
    const { db, add, clock, makeWorker, rows } = await open(t, engine)
    await add('a')
    const [row] = await rows()
    for (let n = 0; n < 5; n += 1) await deferRow(db, row!.id, clock.now() + 2000, NO_REASON)
    const worker = makeWorker()
    await worker.start([])
    await worker.settle()
    await worker.close()
    assert.equal((await rows())[0]?.due_at, clock.now() + 2000)
  })

  test(`what fails for long is tried again each hour, and told how often it has failed and since when (${engine})`, async (t) => {
    const { db, add, clock, makeWorker, rows } = await open(t, engine)
    await add('a')
    const since = clock.now()
    const [row] = await rows()
    for (let n = 0; n < 30; n += 1) await deferRow(db, row!.id, clock.now(), NO_REASON)
    clock.advance(5000)
    const told: Tries[] = []
    const worker = makeWorker()
    await worker.start([
      {
        of: removeBlob,
        run: async (_, tries) => {
          told.push(tries)
          throw Object.assign(new Error('no'), { words: 'The disk says no.' })
        },
      },
    ])
    await worker.settle()
    await worker.close()
    const [after] = await rows()
    assert.deepEqual(told, [{ failures: 30, since }])
    assert.deepEqual(
      [after?.attempts, after?.due_at, after?.last_words],
      [31, clock.now() + AN_HOUR_MS, 'The disk says no.'],
    )
  })

  test(`what is given up is told with its reason (${engine})`, async (t) => {
    const { add, makeWorker, logLines, rows } = await open(t, engine)
    await add('a')
    const worker = makeWorker()
    await worker.start([
      {
        of: removeBlob,
        run: async () => {
          throw new HopelessWork('refused')
        },
      },
    ])
    await worker.settle()
    await worker.close()
    assert.deepEqual(await rows(), [])
    const [line] = logLines.filter((one) => one.includes('outbox: given up'))
    assert.match(line ?? '', /"error".*HopelessWork.*remove_blob|remove_blob.*HopelessWork/)
  })

  test(`a worker that closes waits for what is under way and takes nothing new up (${engine})`, async (t) => {
    const { add, makeWorker, rows } = await open(t, engine)
    await add('a', 'b', 'c')
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
    const [begun, ended]: [string[], string[]] = [[], []]
    const worker = makeWorker()
    await worker.start([
      {
        of: removeBlob,
        run: async (payload) => {
          const { key } = payload as { key: string }
          begun.push(key)
          await isReleased
          ended.push(key)
        },
      },
    ])
    await waitUntil(() => begun.length > 0)
    let isClosed = false
    const closing = worker.close().then(() => (isClosed = true))
    worker.ring([removeBlob.kind])
    // As long as it could have closed in.
    await new Promise((resolve) => setTimeout(resolve, 300))
    assert.equal(isClosed, false)
    release()
    await closing
    assert.deepEqual([begun, ended], [['a'], ['a']])
    assert.deepEqual(
      (await rows()).map(({ payload }) => JSON.parse(payload)),
      [{ key: 'b' }, { key: 'c' }],
    )
  })

  test(`turns are of one kind: what somebody waits for of another delays them at none (${engine})`, async (t) => {
    const { db, clock } = await open(t, engine)
    const add = (work: Parameters<typeof enqueue>[2]) => enqueue(db, clock.now(), work)
    for (let id = 1; id <= 4; id += 1) await add(drawThumbnail({ content_id: id }, 1))
    await add(removeBlob({ key: 'of the first' }, 1))
    const turns = await db.selectFrom('outbox').select('turn').where('kind', '=', removeBlob.kind).execute()
    assert.deepEqual(turns, [{ turn: 0 }])
  })

  test(`exactly the work that is named is taken back, and as long as it stands there it is wanted (${engine})`, async (t) => {
    const { db, add, clock, rows } = await open(t, engine)
    await add('a', 'b')
    await enqueue(db, clock.now(), drawThumbnail({ content_id: 1 }))
    await enqueue(db, clock.now(), { kind: drawThumbnail.kind, payload: { key: 'a' } })
    await withdraw(db, removeBlob({ key: 'a' }))
    assert.deepEqual(
      (await rows()).map(({ kind, payload }) => `${kind} ${payload}`),
      ['remove_blob {"key":"b"}', 'draw_thumbnail {"content_id":1}', 'draw_thumbnail {"key":"a"}'],
    )
    assert.deepEqual(await Promise.all(['a', 'b'].map((key) => isWanted(db, removeBlob({ key })))), [false, true])
  })

  test(`what waits is counted, shown and made due of the kinds that are asked for alone (${engine})`, async (t) => {
    const { db, add, clock, rows } = await open(t, engine)
    await add('a', 'b', 'c')
    await enqueue(db, clock.now(), drawThumbnail({ content_id: 1 }))
    const [a, b, , other] = await rows()
    const later = clock.now() + 5000
    for (const row of [a, b, other]) await deferRow(db, row!.id, later, NO_REASON)
    const kinds = [removeBlob.kind]
    assert.deepEqual(await countWaiting(db, kinds), { waiting: 3, failing: 2 })
    assert.deepEqual(
      (await listFailing(db, kinds, 10)).map(({ id, payload, dueAt }) => [id, payload, dueAt]),
      [
        [a!.id, { key: 'a' }, later],
        [b!.id, { key: 'b' }, later],
      ],
    )
    assert.equal((await listFailing(db, kinds, 1)).length, 1)
    clock.advance(1)
    assert.equal(await hastenRows(db, kinds, clock.now()), 2)
    assert.deepEqual(
      (await rows()).map((row) => row.due_at),
      [clock.now(), clock.now(), clock.now() - 1, later],
    )
  })

  test(`nobody who rings has a part in what their ring finds (${engine})`, async (t) => {
    const { add, makeWorker } = await open(t, engine)
    const asker = new AsyncLocalStorage<string>()
    const seen: unknown[] = []
    const worker = makeWorker()
    await worker.start([{ of: removeBlob, run: async () => void seen.push(asker.getStore()) }])
    await worker.settle()
    for (const kinds of [undefined, [removeBlob.kind]]) {
      await add('a')
      asker.run('ada', () => worker.ring(kinds))
      await worker.settle()
    }
    await worker.close()
    assert.deepEqual(seen, [undefined, undefined])
  })

  test(`as much work as there is is put there, each piece once (${engine})`, async (t) => {
    const { add, rows } = await open(t, engine)
    const keys = Array.from({ length: 501 }, (_, n) => `k${n}`)
    await add(...keys)
    assert.deepEqual(
      (await rows()).map(({ payload }) => (JSON.parse(payload) as { key: string }).key),
      keys,
    )
  })
}

async function countWaitingForLocks(db: Db): Promise<number> {
  const { rows } = await sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows.length
}
