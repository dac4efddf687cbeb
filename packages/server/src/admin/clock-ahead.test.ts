import assert from 'node:assert/strict'
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { openFolderShelf } from '../backup/folder-shelf.ts'
import { nameSnapshot } from '../backup/layout.ts'
import { openTarget } from '../backup/open-target.ts'
import { readManifest } from '../backup/read-manifest.ts'
import { lockFolder } from '../start/data-lock.ts'
import { startTestServer } from '../testing.ts'
import { runCommand } from '../testing/stopped-installation.ts'

async function startWithBackup(t: TestContext) {
  const root = await mkdtemp(join(tmpdir(), 'proofdesk-clock-'))
  t.after(() => rm(root, { recursive: true, force: true }))
  const { dataDir, keysDir } = (await startTestServer(t, 'sqlite')).config
  const run = (...args: string[]) => runCommand(args, { DATA_DIR: dataDir, KEYS_DIR: keysDir })
  const target = join(root, 'backup')
  assert.equal((await run('backup', target)).status, 0)
  const list = async () => (await readdir(join(target, 'snapshots'))).toSorted()
  const name = async (to: string) => {
    const [first = ''] = await list()
    await rename(join(target, 'snapshots', first), join(target, 'snapshots', to))
  }
  return { target, run, list, name }
}

test('18.32 what is saved after a clock has run ahead is the newest: it stays, and is what is drilled and restored', async (t) => {
  const { target, run, list, name } = await startWithBackup(t)
  await name('2099-12-31T23-59-59-999Z')
  const begun = Date.now()
  const saved = await run('backup', target, '--keep', '1')
  assert.deepEqual([saved.status, saved.err], [0, ''])
  assert.match(saved.out, /^Saved as 2100-01-01T00-00-00-000Z:/)
  assert.deepEqual(await list(), ['2100-01-01T00-00-00-000Z'])
  // When it was made is said as it is.
  const opened = await openTarget(openFolderShelf(target, lockFolder), undefined)
  const { made_at } = await readManifest(opened, '2100-01-01T00-00-00-000Z')
  assert.ok(Date.parse(made_at) >= begun && Date.parse(made_at) <= Date.now())
  assert.match((await run('drill', target)).out, new RegExp(`^The backup of ${made_at} was restored`))
})

test('18.32 names of backups go on from the newest, and where none can come after it, that is said', () => {
  const now = Date.UTC(2026, 0, 2, 3, 4, 5, 6)
  assert.equal(nameSnapshot(now), '2026-01-02T03-04-05-006Z')
  assert.equal(nameSnapshot(now, '2025-01-02T03-04-05-006Z'), '2026-01-02T03-04-05-006Z')
  assert.equal(nameSnapshot(now, '2026-01-02T03-04-05-006Z'), '2026-01-02T03-04-05-007Z')
  for (const last of ['9999-12-31T23-59-59-999Z', '2026-99-01T00-00-00-000Z'])
    assert.throws(() => nameSnapshot(now, last), new RegExp(`^StartFailure: No backup can be named after ${last}`))
})

test('18.31 prune keeps the newest backups, and an older one that is to be spared', async (t) => {
  const { target, run, list } = await startWithBackup(t)
  for (let n = 0; n < 3; n++) assert.equal((await run('backup', target)).status, 0)
  const [first = '', , , last = ''] = await list()
  const pruned = await run('prune', target, '--keep', '1', '--spare', first)
  assert.deepEqual([pruned.status, pruned.out, pruned.err], [0, 'Older backups that were removed: 2.', ''])
  assert.deepEqual(await list(), [first, last])
  assert.equal((await run('drill', target, '--snapshot', first)).status, 0)
  for (const words of [[target], [target, '--keep', '0']]) assert.equal((await run('prune', ...words)).status, 2)
  assert.match((await run('prune', join(target, 'none'), '--keep', '1')).err, /holds no backup of this program$/)
})
