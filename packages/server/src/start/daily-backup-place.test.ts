import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readBackupState, changeBackupState } from '../backup/backup-state.ts'
import { ENGINES, startTestServer } from '../testing.ts'
import { runCommand } from '../testing/stopped-installation.ts'
import { waitUntil } from '../testing/wait-until.ts'
import { lockFolder } from './data-lock.ts'
import { startBackups } from './keep-backups.ts'

const MINUTE_MS = 60 * 1000
const DAY_MS = 24 * 60 * MINUTE_MS

async function makeRoot(t: { after(end: () => Promise<void>): unknown }): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'proofdesk-place-'))
  t.after(() => rm(root, { recursive: true, force: true }))
  return root
}

test('18.46 where the disk of the daily backups is not mounted none is begun anew in its place, and superusers are told', async (t) => {
  const root = await makeRoot(t)
  const backupDir = join(root, 'mounted', 'backups')
  const server = await startTestServer(t, 'sqlite')
  const { db } = server.deps
  const deps = { ...server.deps, config: { ...server.config, backupDir } }
  const makeOne = async (dir = backupDir) => {
    const begun = server.clock.now()
    const stop = startBackups({ ...deps, config: { ...deps.config, backupDir: dir } })
    t.after(stop)
    const { problem } = await waitUntil(async () => {
      const state = await readBackupState(db)
      return (state.tried_at ?? 0) >= begun && state
    })
    await stop()
    server.clock.advance(DAY_MS)
    return problem
  }
  assert.equal(await makeOne(), null)
  await rename(join(root, 'mounted'), join(root, 'elsewhere'))
  assert.match(
    String(await makeOne()),
    /^No backup stands in .*mounted\/backups any more, .*: is its disk mounted, on each node\?/,
  )
  assert.equal(existsSync(join(root, 'mounted')), false)
  await rename(join(root, 'elsewhere'), join(root, 'mounted'))
  assert.equal(await makeOne(), null)
  // Whoever takes another place, or means it so, begins there.
  assert.equal(await makeOne(join(root, 'another')), null)
  await rm(join(root, 'another'), { recursive: true })
  const { dataDir, keysDir } = server.config
  const byHand = await runCommand(['backup', join(root, 'another')], { DATA_DIR: dataDir, KEYS_DIR: keysDir })
  assert.equal(byHand.status, 0)
  assert.equal(await makeOne(join(root, 'another')), null)
})

for (const engine of ENGINES)
  test(`18.40 a place of backups that was in use when the server stopped is not in use ever since (${engine})`, async (t) => {
    const backupDir = await makeRoot(t)
    const server = await startTestServer(t, engine)
    const { db } = server.deps
    const deps = { ...server.deps, config: { ...server.config, backupDir } }
    const lock = lockFolder(backupDir, 'The folder', 'a test works in it')
    const findItBusy = async () => {
      const stop = startBackups(deps)
      t.after(stop)
      await waitUntil(async () => (await readBackupState(db)).held_by !== null)
      await waitUntil(async () => (await readBackupState(db)).held_by === null)
      await stop()
      const { busy_since, problem } = await readBackupState(db)
      assert.equal(problem, null)
      return busy_since ?? 0
    }
    const first = await findItBusy()
    server.clock.advance(2 * MINUTE_MS)
    assert.equal(await findItBusy(), first)
    server.clock.advance(3 * DAY_MS)
    const begun = server.clock.now()
    assert.ok((await findItBusy()) >= begun)
    // Of a version that did not write down when it was seen last.
    await changeBackupState(db, (was) => ({ ...was, busy_since: first, busy_at: null }))
    assert.ok((await findItBusy()) >= begun)
    lock.close()
  })
