import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startTestServer, type TestServer } from '../testing.ts'
import { must } from '../testing/collections.ts'

const DAY_MS = 24 * 60 * 60 * 1000

async function makeRoot(t: TestContext): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'proofdesk-daily-'))
  t.after(() => rm(root, { recursive: true, force: true }))
  return root
}

/** Asks until the backup has ended, well or not. */
async function readBackup(server: TestServer) {
  const sue = await server.signIn('sue', { is_superuser: true })
  for (;;) {
    const { backup } = must(await sue.get('/health/'), 200)
    if (backup.drilled_at !== null || backup.problem !== null) return backup
    await sleep(100)
  }
}

test('18.9 where BACKUP_DIR is set a backup is made each day, a restore of it is drilled, and superusers see both', async (t) => {
  const backupDir = join(await makeRoot(t), 'backups')
  const server = await startTestServer(t, 'sqlite', { config: { backupDir, backupKeep: 2 } })
  const backup = await readBackup(server)
  assert.deepEqual([backup.state, backup.is_set, backup.problem], ['well', true, null])
  assert.equal((await readdir(join(backupDir, 'snapshots'))).length, 1)
  server.clock.advance(3 * DAY_MS)
  const late = must(await (await server.signIn('sue', { is_superuser: true })).get('/health/'), 200)
  assert.equal(late.backup.state, 'watch')
})

test('18.9 a daily backup that fails is told to superusers', async (t) => {
  const backupDir = join(await makeRoot(t), 'backups')
  await writeFile(backupDir, 'not a folder')
  const server = await startTestServer(t, 'sqlite', { config: { backupDir } })
  const { state, problem } = await readBackup(server)
  assert.equal(state, 'broken')
  assert.match(problem, /EEXIST|ENOTDIR|file already exists|not a directory/)
})
