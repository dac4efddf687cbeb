import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { withLock } from './lock.mjs'

function makeLockPath(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'proofdesk-lock-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return join(folder, 'lock')
}

test('of several starts at once one prepares after the other', async (t) => {
  const lock = makeLockPath(t)
  let inside = 0
  let most = 0
  const prepare = async () => {
    most = Math.max(most, ++inside)
    await sleep(50)
    inside--
  }
  await Promise.all([withLock(prepare, lock), withLock(prepare, lock), withLock(prepare, lock)])
  assert.equal(most, 1)
  assert.equal(existsSync(lock), false)
})

test('a start that fails lets the next one through', async (t) => {
  const lock = makeLockPath(t)
  await assert.rejects(
    withLock(() => Promise.reject(new Error('no space')), lock),
    /no space/,
  )
  assert.equal(await withLock(() => Promise.resolve('done'), lock), 'done')
})

test('a lock that a killed start left behind is taken over', async (t) => {
  const lock = makeLockPath(t)
  writeFileSync(lock, 'somebody')
  const longAgo = new Date(Date.now() - 60_000)
  utimesSync(lock, longAgo, longAgo)
  assert.equal(await withLock(() => Promise.resolve('done'), lock), 'done')
})

test('a lock whose holder lives is waited for', async (t) => {
  const lock = makeLockPath(t)
  writeFileSync(lock, 'somebody')
  utimesSync(lock, new Date(), new Date())
  let entered = false
  const waiting = withLock(async () => void (entered = true), lock)
  await sleep(500)
  assert.equal(entered, false)
  rmSync(lock)
  await waiting
  assert.equal(entered, true)
})
