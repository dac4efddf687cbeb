import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { AppError } from '../../errors.ts'
import { SIGN_IN_ACCOUNT, SIGN_IN_ELSEWHERE, VERIFICATION_MAIL } from '../../features/auth/limits.ts'
import { openSecretBox } from '../../secrets/secret-box.ts'
import { ENGINES, makeTestDatabase, type TestEngine } from '../../testing/engines.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import type { Limit } from '../limit.ts'
import { byClient, type Count } from '../limits.ts'
import { addCount, deleteOldCounts, leavePlace, takeCountBack, takePlace, type SharedCount } from './queries.ts'
import { openSharedLimits } from './shared-limits.ts'

const MINUTE = 60_000
const ACCOUNT: Count = { limit: SIGN_IN_ACCOUNT, key: '192.0.2.7 ada' }
const ELSEWHERE: Count = { limit: SIGN_IN_ELSEWHERE, key: 'ada' }
const TWO: Limit = { name: 'two', points: 2, duration: 60 * 60 }

const fail = async () => {
  throw new AppError('wrong_credentials')
}

async function open(t: TestContext, engine: TestEngine) {
  const database = makeTestDatabase(engine, '')
  const { db, close } = await database.open()
  t.after(async () => {
    await close()
    await database.drop()
  })
  const openNode = () => openSharedLimits(db, openSecretBox(new Uint8Array(32)), 300)
  return {
    db,
    limits: openNode(),
    other: openNode(),
    pass: (ms: number) =>
      sql`update limit_counts set ends_at = ends_at - cast(${ms} as bigint),
        taken_at = taken_at - cast(${ms} as bigint), looks_again_at = looks_again_at - cast(${ms} as bigint)`.execute(
        db,
      ),
    counts: () => db.selectFrom('limit_counts').select(['failures', 'in_flight']).execute(),
  }
}

const sharedCount = (limit: Limit): SharedCount => ({ key: limit.name, limit, points: limit.points })

for (const engine of ENGINES.filter((one) => one !== 'sqlite')) {
  test(`21.5 the time of a limit runs from its first failure, at whichever node (${engine})`, async (t) => {
    const { limits, pass } = await open(t, engine)
    for (let n = 0; n < 10; n += 1) {
      await assert.rejects(limits.watch([ACCOUNT], fail), { code: 'wrong_credentials' })
      await pass(MINUTE)
    }
    await assert.rejects(limits.watch([ACCOUNT], fail), { code: 'rate_limited' })
    await pass(5 * MINUTE)
    await limits.watch([ACCOUNT], async () => {})
    const mail: Count = { limit: VERIFICATION_MAIL, key: 1 }
    for (let n = 0; n < 5; n += 1) {
      await limits.attempt(mail)
      await pass(10 * MINUTE)
    }
    await assert.rejects(limits.attempt(mail), { code: 'rate_limited' })
    await pass(10 * MINUTE)
    await limits.attempt(mail)
  })

  test(`21.5 whichever of several limits is full, nothing counts under the others (${engine})`, async (t) => {
    for (const full of [0, 1, 2]) {
      const { limits, counts } = await open(t, engine)
      const all = byClient(TWO, '2001:db8:1:2f5a::1', 'ada').map((count): Count => ({ ...count, times: 1 }))
      for (let n = 0; n < 2; n += 1)
        await assert.rejects(limits.watch([all[full]!], fail), { code: 'wrong_credentials' })
      await assert.rejects(limits.watch(all, fail), { code: 'rate_limited' })
      await assert.rejects(limits.attempt(...all), { code: 'rate_limited' })
      assert.deepEqual(await counts(), [{ failures: 2, in_flight: 0 }])
    }
  })

  test(`21.5 as many are looked at as the smallest of several limits has left, and each of them counts (${engine})`, async (t) => {
    const { limits, other, counts } = await open(t, engine)
    const all = byClient(TWO, '2001:db8:1:2f5a::1', 'ada')
    const { promise: isEnded, resolve: end } = Promise.withResolvers<void>()
    const both = [0, 1].map(() => limits.watch(all, () => isEnded))
    await waitUntil(async () => (await counts()).filter((row) => row.in_flight === 2).length === 3)
    await assert.rejects(other.watch([all[2]!], fail), { code: 'rate_limited', retryAfterSeconds: 1 })
    end()
    await Promise.all(both)
    await assert.rejects(limits.watch(all, fail), { code: 'wrong_credentials' })
    const one = { failures: 1, in_flight: 0 }
    assert.deepEqual(await counts(), [one, one, one])
  })

  test(`21.5 nobody is told to wait for longer than they have to (${engine})`, async (t) => {
    const { limits, pass } = await open(t, engine)
    for (let n = 0; n < 30; n += 1) await assert.rejects(limits.watch([ELSEWHERE], fail))
    const told = (most: number) => (error: unknown) => {
      assert.ok(error instanceof AppError && error.retryAfterSeconds !== undefined)
      assert.ok(error.retryAfterSeconds <= most && error.retryAfterSeconds > most - 3, `${error.retryAfterSeconds}`)
      return true
    }
    await assert.rejects(limits.mustHaveLeft(ELSEWHERE), told(10))
    await pass(10_000)
    await limits.mustHaveLeft(ELSEWHERE)
    await pass(SIGN_IN_ELSEWHERE.duration * 1000 - 15_000)
    await assert.rejects(limits.watch([ELSEWHERE], fail), { code: 'wrong_credentials' })
    await assert.rejects(limits.mustHaveLeft(ELSEWHERE), told(5))
  })

  test(`21.5 one slow look at a stranger is waited for at all nodes, and no second one begun beside it (${engine})`, async (t) => {
    const { db, limits, pass } = await open(t, engine)
    for (let n = 0; n < 30; n += 1) await assert.rejects(limits.watch([ELSEWHERE], fail))
    await pass(10_000)
    const [row] = await db.selectFrom('limit_counts').select('key').execute()
    const count = { key: row!.key, limit: SIGN_IN_ELSEWHERE, points: SIGN_IN_ELSEWHERE.points }
    assert.equal(await takePlace(db, count), true)
    await pass(10_000)
    assert.equal(await takePlace(db, count), false)
    await leavePlace(db, count, false)
    assert.equal(await takePlace(db, count), true)
  })

  test(`21.5 a place is lost two minutes after the last one was taken, and given back once (${engine})`, async (t) => {
    const { db, pass, counts } = await open(t, engine)
    const count = sharedCount(TWO)
    const take = () => takePlace(db, count)
    assert.equal(await take(), true)
    await pass(90_000)
    assert.equal(await take(), true)
    await pass(60_000)
    assert.equal(await take(), false)
    await pass(60_000)
    assert.equal(await take(), true)
    assert.deepEqual(await counts(), [{ failures: 0, in_flight: 1 }])
    // Those that were lost come back after all.
    for (let n = 0; n < 3; n += 1) await leavePlace(db, count, false)
    assert.deepEqual([await take(), await take(), await take()], [true, true, false])
  })

  test(`21.5 a use that is forgiven twice, or after its time, opens nothing at any node (${engine})`, async (t) => {
    const { db, pass } = await open(t, engine)
    const count = sharedCount(TWO)
    await addCount(db, count, true)
    await pass(60 * MINUTE)
    assert.equal(await takePlace(db, count), true)
    await leavePlace(db, count, false)
    await takeCountBack(db, count)
    await addCount(db, count, true)
    for (let n = 0; n < 2; n += 1) await takeCountBack(db, count)
    assert.deepEqual([await addCount(db, count, true), await addCount(db, count, true)], [1, 2])
    assert.equal(await addCount(db, count, true), undefined)
  })

  // PGlite has one connection.
  if (engine === 'postgres')
    test(`21.5 several limits are taken in one order, in whichever they are named: nobody who has one waits for another's (${engine})`, async (t) => {
      const { db, limits, other } = await open(t, engine)
      const [a, b]: [Count, Count] = [
        { limit: TWO, key: 'a', times: 10 },
        { limit: TWO, key: 'b', times: 10 },
      ]
      await limits.attempt(a, b)
      const keys = (await db.selectFrom('limit_counts').select('key').execute()).map(({ key }) => key).sort()
      const lock = (on: typeof db, key: string | undefined) =>
        sql`select 1 from limit_counts where key = ${key} for update nowait`.execute(on)
      let both: Promise<unknown> | undefined
      await db.transaction().execute(async (first) => {
        await lock(first, keys[0])
        both = Promise.all([limits.attempt(a, b), other.attempt(b, a)])
        await waitUntil(async () => {
          const { rows } = await sql`select 1 from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
          return rows.length === 2
        })
        await db.transaction().execute((second) => lock(second, keys[1]))
      })
      await both
      assert.deepEqual(
        (await db.selectFrom('limit_counts').select('failures').execute()).map(({ failures }) => failures),
        [3, 3],
      )
    })

  test(`21.5 what is being looked at is not forgotten by the sweep, until it is lost (${engine})`, async (t) => {
    const { db, pass, counts } = await open(t, engine)
    const count = sharedCount(TWO)
    assert.deepEqual([await takePlace(db, count), await takePlace(db, count)], [true, true])
    await deleteOldCounts(db)
    assert.equal(await takePlace(db, count), false)
    await pass(2 * MINUTE)
    await deleteOldCounts(db)
    assert.deepEqual(await counts(), [])
  })

  test(`21.5 what cannot be counted any more is done where it went well, and told where it failed (${engine})`, async (t) => {
    const { db, limits } = await open(t, engine)
    const rename = (from: string, to: string) =>
      sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(db)
    const breakDown = () => rename('limit_counts', 'away')
    assert.equal(await limits.watch([ACCOUNT], () => breakDown().then(() => 'done')), 'done')
    await rename('away', 'limit_counts')
    await assert.rejects(
      limits.watch([ACCOUNT], () => breakDown().then(fail)),
      /limit_counts/,
    )
    await rename('away', 'limit_counts')
  })
}
