import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '../errors.ts'
import { byClient, nameClient, nameNeighbourhood, openLimits, type Count, type Limits } from './limits.ts'
import { REGISTRATION, SIGN_IN_ACCOUNT, SIGN_IN_ELSEWHERE, VERIFICATION_MAIL } from '../features/auth/limits.ts'
import { PROOF_MISS_ADDRESS, PROOF_MISS_PROOF_ID } from '../features/certificates/limits.ts'
import { MAIL_TEST } from '../features/mail-delivery/limits.ts'
import { CODE_TOLD } from '../features/two-factor/limits.ts'

const MINUTE = 60_000

test('one IPv6 customer is one client, whatever the notation', () => {
  const same = [
    '2001:db8:1:2::1',
    '2001:0db8:0001:0002:ffff:ffff:ffff:ffff',
    '2001:DB8:1:2:3::',
    '2001:db8:1:2::1%eth0',
  ]
  assert.deepEqual(new Set(same.map(nameClient)), new Set(['2001:db8:1:2::/64']))
  assert.notEqual(nameClient('2001:db8:1:3::1'), nameClient('2001:db8:1:2::1'))
  assert.equal(nameClient('::1'), '0:0:0:0::/64')
  assert.equal(nameClient('::ffff:192.0.2.7'), '192.0.2.7')
  assert.equal(nameClient('192.0.2.7'), '192.0.2.7')
  assert.equal(nameClient('nonsense'), 'unknown')
})

test('9.27 IPv6 is counted by /64, and ten times as many by /56 and /48', () => {
  assert.deepEqual(byClient(REGISTRATION, '2001:db8:1:2f5a::1', 'ada'), [
    { limit: REGISTRATION, key: '2001:db8:1::/48 ada', times: 10 },
    { limit: REGISTRATION, key: '2001:db8:1:2f00::/56 ada', times: 10 },
    { limit: REGISTRATION, key: '2001:db8:1:2f5a::/64 ada' },
  ])
  assert.deepEqual(byClient(REGISTRATION, '192.0.2.7'), [{ limit: REGISTRATION, key: '192.0.2.7' }])
  assert.deepEqual(byClient(REGISTRATION, 'nonsense'), [{ limit: REGISTRATION, key: 'unknown' }])
})

test('who comes again comes from the neighbourhood', () => {
  assert.equal(nameNeighbourhood(nameClient('192.0.2.7')), nameNeighbourhood(nameClient('192.0.2.99')))
  assert.notEqual(nameNeighbourhood(nameClient('192.0.2.7')), nameNeighbourhood(nameClient('192.0.3.7')))
  assert.equal(nameNeighbourhood(nameClient('2001:db8:1:2::1')), nameNeighbourhood(nameClient('2001:db8:1:3::1')))
  assert.notEqual(nameNeighbourhood(nameClient('2001:db8:1:2::1')), nameNeighbourhood(nameClient('2001:db8:2:2::1')))
})

const ACCOUNT: Count = { limit: SIGN_IN_ACCOUNT, key: 'ada' }
const fail = async () => {
  throw new AppError('wrong_credentials')
}
const codeOf = (error: unknown) => (error instanceof AppError ? error.code : 'another')
/** What became of attempts that were begun at once. */
const outcomes = (attempts: Promise<unknown>[]) =>
  Promise.all(attempts.map((attempt) => attempt.then(() => 'done', codeOf)))

/** Work that ends when it is told to. */
function makeWork() {
  let looked = 0
  const gates: { resolve: () => void; reject: (reason: unknown) => void }[] = []
  const work = () => {
    looked += 1
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    gates.push({ resolve, reject })
    return promise
  }
  const settle = () => new Promise(setImmediate)
  return { work, gates, settle, looked: () => looked }
}

test('an attempt that is still being looked at is no failure: right ones at once all succeed', async () => {
  const limits = openLimits()
  const { work, gates, settle, looked } = makeWork()
  const all = outcomes(Array.from({ length: 30 }, () => limits.watch([ACCOUNT], work)))
  for (let n = 0; n < 30; n += 1) {
    await settle()
    assert.ok(looked() - n <= 10, 'never more at once than may fail')
    gates[n]?.resolve()
  }
  assert.deepEqual(new Set(await all), new Set(['done']))
})

test('a flood of wrong ones at once is looked at as often as wrong ones one by one', async () => {
  const limits = openLimits()
  const { work, gates, settle, looked } = makeWork()
  const all = outcomes(Array.from({ length: 500 }, () => limits.watch([ACCOUNT], work)))
  for (let n = 0; n < 10; n += 1) {
    await settle()
    gates[n]?.reject(new AppError('wrong_credentials'))
  }
  const counted = Map.groupBy(await all, (code) => code)
  assert.equal(looked(), 10)
  assert.equal(counted.get('wrong_credentials')?.length, 10)
  assert.equal(counted.get('rate_limited')?.length, 490)
})

test('a success opens nothing for the failures beside it', async () => {
  const limits = openLimits()
  for (let i = 0; i < 5; i += 1) {
    await limits.watch([ACCOUNT], async () => {})
    await assert.rejects(limits.watch([ACCOUNT], fail))
    await assert.rejects(limits.watch([ACCOUNT], fail))
  }
  await assert.rejects(
    limits.watch([ACCOUNT], async () => {}),
    { code: 'rate_limited' },
  )
})

test('too busy to look, another limit and a fault of ours are no failures of the caller', async () => {
  const limits = openLimits()
  const reasons = [new AppError('busy'), new AppError('rate_limited'), new AppError('internal'), new Error('a bug')]
  for (const reason of [...reasons, ...reasons, ...reasons])
    await assert.rejects(
      limits.watch([ACCOUNT], async () => {
        throw reason
      }),
    )
  await limits.watch([ACCOUNT], async () => {})
})

test('what one limit refuses counts under none, and holds no place in another', async () => {
  const limits = openLimits()
  const missed = (key: string): Count[] => [
    { limit: PROOF_MISS_PROOF_ID, key: 'p' },
    { limit: PROOF_MISS_ADDRESS, key },
  ]
  for (let i = 0; i < 60; i += 1) await assert.rejects(limits.watch(missed('a'), fail), { code: 'wrong_credentials' })
  for (let i = 0; i < 300; i += 1) {
    await assert.rejects(limits.watch(missed('a'), fail), { code: 'rate_limited' })
    await assert.rejects(limits.attempt(...missed('a')), { code: 'rate_limited' })
  }
  await limits.watch(missed('b'), async () => {})
})

test('uses count from their beginning, a use that is forgiven does not, a refused one neither', async () => {
  const limits = openLimits()
  const mail: Count = { limit: VERIFICATION_MAIL, key: 'a' }
  for (let i = 0; i < 30; i += 1) await (await limits.attempt(mail)).forgive()
  for (let i = 0; i < 5; i += 1) await limits.attempt(mail)
  for (let i = 0; i < 3; i += 1) {
    await assert.rejects(limits.attempt(mail), (error) => {
      assert.ok(error instanceof AppError)
      assert.equal(error.code, 'rate_limited')
      assert.ok(error.retryAfterSeconds && error.retryAfterSeconds <= 3600 && error.retryAfterSeconds > 3500)
      return true
    })
  }
  await limits.attempt({ limit: VERIFICATION_MAIL, key: 'b' })
})

/** Limits on a clock of the test. */
function openAt(): { limits: Limits; pass: (ms: number) => void } {
  let now = 0
  return { limits: openLimits(() => now), pass: (ms) => (now += ms) }
}

test('the time of a limit runs from its first failure', async () => {
  const { limits, pass } = openAt()
  for (let i = 0; i < 10; i += 1) {
    await assert.rejects(limits.watch([ACCOUNT], fail))
    pass(MINUTE)
  }
  pass(5 * MINUTE - 1)
  await assert.rejects(limits.watch([ACCOUNT], fail), { code: 'rate_limited', retryAfterSeconds: 1 })
  pass(1)
  await limits.watch([ACCOUNT], async () => {})
})

test('strangers to an account are slowed down once many have failed, and never shut out', async () => {
  const { limits, pass } = openAt()
  const elsewhere: Count = { limit: SIGN_IN_ELSEWHERE, key: 'ada' }
  for (let i = 0; i < 30; i += 1) await assert.rejects(limits.watch([elsewhere], fail), { code: 'wrong_credentials' })
  let looked = 0
  for (let second = 0; second < 600; second += 1) {
    const [outcome] = await outcomes([limits.watch([elsewhere], fail)])
    if (outcome === 'wrong_credentials') looked += 1
    pass(1000)
  }
  assert.equal(looked, 59)
  pass(10_000)
  await limits.watch([elsewhere], async () => {})
})

test('one slow look at a stranger is waited for, and no second one begun beside it', async () => {
  const { limits, pass } = openAt()
  const elsewhere: Count = { limit: SIGN_IN_ELSEWHERE, key: 'ada' }
  for (let i = 0; i < 30; i += 1) await assert.rejects(limits.watch([elsewhere], fail))
  pass(10_000)
  const { work, gates, settle, looked } = makeWork()
  const first = outcomes([limits.watch([elsewhere], work)])
  await settle()
  pass(10_000)
  const second = outcomes([limits.watch([elsewhere], work)])
  await settle()
  assert.equal(looked(), 1)
  gates[0]?.resolve()
  assert.deepEqual(await first, ['done'])
  await settle()
  gates[1]?.resolve()
  assert.deepEqual([await second, looked()], [['done'], 2])
})

test('nobody is told to wait for longer than the time of a limit runs', async () => {
  const { limits, pass } = openAt()
  const elsewhere: Count = { limit: SIGN_IN_ELSEWHERE, key: 'ada' }
  for (let i = 0; i < 30; i += 1) await assert.rejects(limits.watch([elsewhere], fail))
  await assert.rejects(limits.mustHaveLeft(elsewhere), { code: 'rate_limited', retryAfterSeconds: 10 })
  pass(SIGN_IN_ELSEWHERE.duration * 1000 - 3000)
  await assert.rejects(limits.watch([elsewhere], fail), { code: 'wrong_credentials' })
  await assert.rejects(limits.mustHaveLeft(elsewhere), { code: 'rate_limited', retryAfterSeconds: 3 })
})

test('a thousand wait, and whoever comes then is told to come again', async () => {
  const limits = openLimits()
  const { work, gates, settle, looked } = makeWork()
  let refused = 0
  const attempts = Array.from({ length: 10 + 1000 + 5 }, () => limits.watch([ACCOUNT], work))
  for (const attempt of attempts) attempt.catch(() => (refused += 1))
  const all = outcomes(attempts)
  await settle()
  assert.deepEqual([looked(), refused], [10, 5])
  for (let n = 0; n < 10; n += 1) gates[n]?.reject(new AppError('internal'))
  await settle()
  for (let n = 10; n < 20; n += 1) gates[n]?.reject(new AppError('wrong_credentials'))
  const counted = Map.groupBy(await all, (code) => code)
  const manyOf = (code: string) => counted.get(code)?.length
  assert.deepEqual([manyOf('internal'), manyOf('wrong_credentials'), manyOf('rate_limited')], [10, 10, 995])
  assert.equal(looked(), 20)
})

test('a use that is forgiven after its time opens nothing', async () => {
  const { limits, pass } = openAt()
  const mail: Count = { limit: VERIFICATION_MAIL, key: 'a' }
  const uses = [await limits.attempt(mail), await limits.attempt(mail)]
  pass(59.5 * MINUTE)
  // What has run out is swept here, and not half a minute later.
  await limits.mustHaveLeft({ limit: MAIL_TEST, key: 1 })
  pass(0.5 * MINUTE)
  await limits.mustHaveLeft(mail)
  for (const use of uses) await use.forgive()
  for (let i = 0; i < 5; i += 1) await limits.attempt(mail)
  await assert.rejects(limits.attempt(mail), { code: 'rate_limited' })
})

test('a tally says once that it is full, and again in its next time', async () => {
  const { limits, pass } = openAt()
  const told: Count = { limit: CODE_TOLD, key: 1 }
  for (let round = 0; round < 2; round += 1) {
    const said = await Promise.all(Array.from({ length: 50 }, () => limits.tally(told)))
    assert.deepEqual(said, [...Array(19).fill('within'), 'last', ...Array(30).fill('beyond')])
    pass(60 * MINUTE)
  }
})

test('what has run out takes no memory, and what is looked at stays counted', async () => {
  const { limits, pass } = openAt()
  const { work, gates, settle } = makeWork()
  const all = outcomes(Array.from({ length: 12 }, () => limits.watch([ACCOUNT], work)))
  await settle()
  pass(60 * MINUTE)
  await limits.mustHaveLeft({ limit: MAIL_TEST, key: 1 })
  const late = outcomes([limits.watch([ACCOUNT], work)])
  for (let n = 0; n < 10; n += 1) gates[n]?.reject(new AppError('wrong_credentials'))
  const codes = [...(await all), ...(await late)]
  assert.equal(codes.filter((code) => code === 'rate_limited').length, 3)
})
