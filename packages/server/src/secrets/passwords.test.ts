import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '../errors.ts'
import { openPasswords } from './passwords.ts'

test('passwords', async (t) => {
  const passwords = openPasswords({ atOnce: 2 })
  const stored = await passwords.hash('Secret1!')

  await t.test('cost an attacker 19 MiB and two passes each, as OWASP asks', async () => {
    assert.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  await t.test('match only themselves', async () => {
    assert.equal(await passwords.matches(stored, 'Secret1!'), true)
    assert.equal(await passwords.matches(stored, 'secret1!'), false)
    assert.notEqual(await passwords.hash('Secret1!'), stored)
  })

  await t.test('an unknown account takes about as long as a wrong password', async () => {
    const time = async (hash: string | null) => {
      const times = []
      for (let i = 0; i < 15; i++) {
        const start = performance.now()
        assert.equal(await passwords.matches(hash, 'Wrong1!!'), false)
        times.push(performance.now() - start)
      }
      return Math.min(...times)
    }
    await time(null)
    const [known, unknown] = [await time(stored), await time(null)]
    // Without the decoy the second would take no time at all.
    assert.ok(unknown > known / 3, `known ${known} ms, unknown ${unknown} ms`)
  })

  await t.test('the queue is bounded, and what waited is done', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 80 }, () => passwords.matches(stored, 'Secret1!')))
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    assert.equal(refused.length, 80 - 66)
    for (const { reason } of refused) {
      assert.ok(reason instanceof AppError)
      assert.equal(reason.status, 429)
      assert.equal(reason.code, 'busy')
    }
    assert.ok(outcomes.every((outcome) => outcome.status === 'rejected' || outcome.value))
    assert.equal(await passwords.matches(stored, 'Secret1!'), true)
  })
})

test('9.34 a loop of one client delays no other, neither where passwords are made nor where they are compared', async () => {
  const passwords = openPasswords({ atOnce: 1, cost: { memoryCost: 1024, timeCost: 1 } })
  const stored = await passwords.hash('Secret1!')
  for (const work of [
    (askedBy: string) => passwords.hash('Secret1!', askedBy),
    (askedBy: string) => passwords.matches(stored, 'Secret1!', askedBy),
  ]) {
    const done: string[] = []
    const ask = (askedBy: string) => work(askedBy).then(() => void done.push(askedBy))
    await Promise.all(['a', 'a', 'a', 'a', 'a', 'b'].map(ask))
    // Behind the one under way and one of the loop.
    assert.equal(done.indexOf('b'), 2)
  }
})
