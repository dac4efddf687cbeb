import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '../errors.ts'
import type { Limit } from './limit.ts'
import { openLimits, type Count, type Limits } from './limits.ts'
import { attemptMail, byAsker, limitMails } from './mail-limits.ts'

const MAILS = limitMails('some_mail', 3)
const MINUTE = 60_000
const OTHER: Limit = { name: 'other', points: 1, duration: 60 }

function open(): {
  limits: Limits
  pass: (ms: number) => void
  mail: (email: string, from: string) => Promise<string>
} {
  let now = 0
  const limits = openLimits(() => now)
  return {
    limits,
    pass: (ms) => (now += ms),
    mail: (email, from) =>
      attemptMail(limits, MAILS, { email, from }).then(
        () => 'mailed',
        (error: unknown) => (error instanceof AppError ? `${error.code} ${error.retryAfterSeconds}` : 'another'),
      ),
  }
}

const times = async (many: number, work: (n: number) => Promise<string>): Promise<string[]> => {
  const outcomes: string[] = []
  for (let n = 0; n < many; n += 1) outcomes.push(await work(n))
  return outcomes
}
const allMailed = (many: number) => Array(many).fill('mailed')

/** The address of somebody in a network of their own. */
const networkOf = (n: number) => `198.51.${n}.7`

test('one client has so many mails for an address each hour, however either is written', async () => {
  const { mail } = open()
  const spellings = ['ada@example.org', 'Ada@Example.org', 'ADA@EXAMPLE.ORG', 'ada@example.org']
  const clients = ['2001:db8:1:2::1', '2001:db8:1:2::2', '2001:DB8:1:2::3', '2001:db8:1:2::4']
  assert.deepEqual(await times(4, (n) => mail(spellings[n]!, clients[n]!)), [...allMailed(3), 'rate_limited 3600'])
  assert.equal(await mail('ben@example.org', clients[0]!), 'mailed')
  assert.deepEqual(byAsker(MAILS, 'Ada@Example.org', '192.0.2.7'), {
    limit: MAILS.asker,
    key: '192.0.2.7 ada@example.org',
  })
})

test('twenty an hour from anywhere, and then each network still has two of its own for each address', async () => {
  const { mail } = open()
  assert.deepEqual(await times(20, (n) => mail('ada@example.org', networkOf(n))), allMailed(20))
  const fromOne = ['203.0.113.1', '203.0.113.2', '203.0.113.3']
  assert.deepEqual(await times(3, (n) => mail('ada@example.org', fromOne[n]!)), [...allMailed(2), 'rate_limited 3600'])
  // Others are not kept waiting for it, neither in another network nor for another address.
  assert.equal(await mail('ada@example.org', '203.0.114.1'), 'mailed')
  assert.deepEqual(await times(20, (n) => mail('ben@example.org', networkOf(n))), allMailed(20))
  assert.equal(await mail('ben@example.org', '203.0.113.1'), 'mailed')
})

test('nobody gets more than forty mails an hour, from however many networks they are asked for', async () => {
  const { mail } = open()
  const outcomes = await times(60, (n) => mail(n % 2 ? 'ada@example.org' : 'ADA@example.org', networkOf(n)))
  assert.deepEqual(outcomes, [...allMailed(40), ...Array(20).fill('rate_limited 3600')])
})

test('who is refused is told the earliest time at which it is worth asking again', async () => {
  const { mail, pass } = open()
  await times(20, (n) => mail('ada@example.org', networkOf(n)))
  pass(50 * MINUTE)
  // Those that all share are free again in ten minutes, and those of newcomers in an hour.
  await times(20, (n) => mail('ada@example.org', networkOf(100 + n)))
  assert.equal(await mail('ada@example.org', networkOf(200)), 'rate_limited 600')
  pass(10 * MINUTE)
  assert.equal(await mail('ada@example.org', networkOf(200)), 'mailed')
})

test('what it counts for besides is asked first, and what fails for another reason is told as it is', async () => {
  const { limits } = open()
  const other: Count = { limit: OTHER, key: 'a' }
  const to = { email: 'ada@example.org', from: '192.0.2.7' }
  await attemptMail(limits, MAILS, to, other)
  await assert.rejects(attemptMail(limits, MAILS, to, other), { code: 'rate_limited' })
  await attemptMail(limits, MAILS, to)
  await attemptMail(limits, MAILS, to)
  await assert.rejects(attemptMail(limits, MAILS, to), { code: 'rate_limited' }, 'the refused one did not count')
  let asked = 0
  const broken: Limits = {
    ...limits,
    attempt: async () => {
      asked += 1
      throw new AppError('internal')
    },
  }
  await assert.rejects(attemptMail(broken, MAILS, to), { code: 'internal' })
  assert.equal(asked, 1)
})
