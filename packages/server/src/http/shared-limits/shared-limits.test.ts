import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { AppError } from '../../errors.ts'
import { SIGN_IN_ACCOUNT, SIGN_IN_ELSEWHERE, VERIFICATION_MAIL } from '../../features/auth/limits.ts'
import { CODE_TOLD } from '../../features/two-factor/limits.ts'
import { openSecretBox } from '../../secrets/secret-box.ts'
import { ENGINES, makeTestDatabase } from '../../testing/engines.ts'
import { deleteOldCounts, takePlace } from './queries.ts'
import { byClient, type Count } from '../limits.ts'
import { openSharedLimits } from './shared-limits.ts'

const ACCOUNT: Count = { limit: SIGN_IN_ACCOUNT, key: '192.0.2.7 ada' }
const ELSEWHERE: Count = { limit: SIGN_IN_ELSEWHERE, key: 'ada' }
const MINUTE = 60_000

const fail = async () => {
  throw new AppError('wrong_credentials')
}
const succeed = async () => {}
const codeOf = (error: unknown) => (error instanceof AppError ? error.code : error)
const countCodes = (codes: unknown[]) =>
  Object.fromEntries(
    Map.groupBy(codes, String)
      .entries()
      .map(([code, found]) => [code, found.length]),
  )

for (const engine of ENGINES.filter((one) => one !== 'sqlite')) {
  /** The limits of three processes on one database. */
  const openNodes = async (t: { after(end: () => Promise<void>): unknown }) => {
    const database = makeTestDatabase(engine, '')
    const { db, close } = await database.open()
    t.after(async () => {
      await close()
      await database.drop()
    })
    const secrets = openSecretBox(new Uint8Array(32))
    const open = () => openSharedLimits(db, secrets)
    const nodes = [open(), open(), open()] as const
    return {
      db,
      nodes,
      attempt: (counts: Count[], many: number, work: () => Promise<void>) =>
        Promise.all(
          Array.from({ length: many }, (_, n) => nodes[n % 3]!.watch(counts, work).then(() => 'done', codeOf)),
        ),
      pass: (ms: number) =>
        sql`update limit_counts set ends_at = ends_at - cast(${ms} as bigint),
          taken_at = taken_at - cast(${ms} as bigint), looks_again_at = looks_again_at - cast(${ms} as bigint)`.execute(
          db,
        ),
      countRows: async () => (await db.selectFrom('limit_counts').select('key').execute()).length,
    }
  }

  test(`21.5 wrong attempts at several nodes at once are looked at as often as one by one at one of them (${engine})`, async (t) => {
    const { attempt, db, pass } = await openNodes(t)
    let looked = 0
    const wrong = async () => {
      looked += 1
      await fail()
    }
    assert.deepEqual(countCodes(await attempt([ACCOUNT], 90, wrong)), { wrong_credentials: 10, rate_limited: 80 })
    assert.equal(looked, 10)
    const [row] = await db.selectFrom('limit_counts').selectAll().execute()
    assert.deepEqual([row?.failures, row?.in_flight], [10, 0])
    assert.doesNotMatch(JSON.stringify(row), /ada|192\.0/, 'whom it is counted for cannot be read')

    await pass(14 * MINUTE)
    assert.deepEqual(countCodes(await attempt([ACCOUNT], 3, succeed)), { rate_limited: 3 })
    await pass(MINUTE)
    assert.deepEqual(countCodes(await attempt([ACCOUNT], 3, succeed)), { done: 3 })
  })

  test(`21.5 right attempts at several nodes at once all succeed, and open nothing for wrong ones (${engine})`, async (t) => {
    const { attempt } = await openNodes(t)
    assert.deepEqual(countCodes(await attempt([ACCOUNT], 60, succeed)), { done: 60 })
    let begun = 0
    const wrongEverySecond = async () => {
      begun += 1
      if (begun % 2 === 0) await fail()
    }
    const codes = countCodes(await attempt([ACCOUNT], 60, wrongEverySecond))
    assert.equal(codes['wrong_credentials'], 10)
    assert.ok(begun <= 20, 'no more was looked at')
  })

  test(`21.5 what one limit refuses counts under none, and holds no place in another (${engine})`, async (t) => {
    const { attempt, nodes, db } = await openNodes(t)
    const counts = byClient(SIGN_IN_ACCOUNT, '2001:db8:1:2f5a::1', 'ada')
    await attempt([counts[2]!], 10, fail)
    assert.deepEqual(countCodes(await attempt(counts, 12, fail)), { rate_limited: 12 })
    await assert.rejects(nodes[0].attempt(...counts), { code: 'rate_limited' })
    const rows = await db.selectFrom('limit_counts').select(['failures', 'in_flight']).execute()
    assert.deepEqual(rows, [{ failures: 10, in_flight: 0 }])
    assert.deepEqual(countCodes(await attempt(byClient(SIGN_IN_ACCOUNT, '2001:db8:1:2f5b::1', 'ada'), 3, succeed)), {
      done: 3,
    })
  })

  test(`21.5 too busy to look and a fault of ours are no failures of the caller (${engine})`, async (t) => {
    const { nodes, attempt } = await openNodes(t)
    for (const reason of [new AppError('busy'), new AppError('internal'), new Error('a bug')])
      for (let n = 0; n < 4; n++)
        await assert.rejects(
          nodes[n % 3]!.watch([ACCOUNT], () => Promise.reject(reason)),
          reason,
        )
    assert.deepEqual(countCodes(await attempt([ACCOUNT], 10, fail)), { wrong_credentials: 10 })
  })

  test(`21.5 strangers to an account are slowed down at all nodes together, and never shut out (${engine})`, async (t) => {
    const { attempt, pass } = await openNodes(t)
    assert.deepEqual(countCodes(await attempt([ELSEWHERE], 30, fail)), { wrong_credentials: 30 })
    for (let round = 0; round < 3; round++) {
      assert.deepEqual(countCodes(await attempt([ELSEWHERE], 9, fail)), { rate_limited: 9 })
      await pass(10_000)
      assert.deepEqual(countCodes(await attempt([ELSEWHERE], 9, fail)), { wrong_credentials: 1, rate_limited: 8 })
    }
  })

  test(`21.5 what a node was looking at when it was ended counts for two minutes (${engine})`, async (t) => {
    const { db, attempt, nodes, pass } = await openNodes(t)
    await attempt([ACCOUNT], 1, fail)
    const [row] = await db.selectFrom('limit_counts').select('key').execute()
    for (let n = 0; n < 9; n++)
      assert.ok(await takePlace(db, { key: row!.key, limit: SIGN_IN_ACCOUNT, points: SIGN_IN_ACCOUNT.points }))
    await nodes[1].mustHaveLeft(ACCOUNT)
    let isLooked = false
    const waiting = nodes[1].watch([ACCOUNT], async () => {
      isLooked = true
    })
    await attempt([ELSEWHERE], 1, succeed)
    assert.equal(isLooked, false)
    await pass(2 * MINUTE)
    await waiting
  })

  test(`21.5 uses count from their beginning at all nodes, one that is forgiven does not (${engine})`, async (t) => {
    const { nodes, pass, countRows, db } = await openNodes(t)
    const mail: Count = { limit: VERIFICATION_MAIL, key: 7 }
    for (let n = 0; n < 12; n++) await (await nodes[n % 3]!.attempt(mail)).forgive()
    const uses = await Promise.all(
      Array.from({ length: 9 }, (_, n) => nodes[n % 3]!.attempt(mail).then(() => 'used', codeOf)),
    )
    assert.deepEqual(countCodes(uses), { used: 5, rate_limited: 4 })
    await assert.rejects(nodes[2].mustHaveLeft(mail), (error) => {
      assert.ok(error instanceof AppError && error.retryAfterSeconds)
      return error.retryAfterSeconds <= 3600 && error.retryAfterSeconds > 3500
    })
    await deleteOldCounts(db)
    assert.equal(await countRows(), 1)
    await pass(60 * MINUTE)
    await nodes[0].mustHaveLeft(mail)
    await deleteOldCounts(db)
    assert.equal(await countRows(), 0)
  })

  test(`21.5 a tally says once of all nodes that it is full (${engine})`, async (t) => {
    const { nodes, pass } = await openNodes(t)
    for (let round = 0; round < 2; round++) {
      const said = await Promise.all(
        Array.from({ length: 30 }, (_, n) => nodes[n % 3]!.tally({ limit: CODE_TOLD, key: 1 })),
      )
      assert.deepEqual(countCodes(said), { within: 19, last: 1, beyond: 10 })
      await pass(60 * MINUTE)
    }
  })
}
