import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openFolderShelf } from '../backup/folder-shelf.ts'
import { openTarget } from '../backup/open-target.ts'
import { restoreBackup } from '../backup/restore-backup.ts'
import { openDiskStore } from '../blobs/disk.ts'
import { copyFiles } from '../moving/copy-files.ts'
import { lockFolder } from '../start/data-lock.ts'
import { startTestServer } from '../testing.ts'
import { must, sendCollection } from '../testing/collections.ts'
import { copyStopped, runCommand, type StoppedInstallation } from '../testing/stopped-installation.ts'

/** A folder in the place of a file opens and fails when it is read, as a bad spot of a disk does. */
async function makeUnreadable(path: string): Promise<void> {
  await rm(path)
  await mkdir(path)
}

describe('files that cannot be read (sqlite)', () => {
  let root: string
  let installation: StoppedInstallation
  let count = 0
  const ends: (() => Promise<void>)[] = []

  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'proofdesk-unreadable-'))
    const server = await startTestServer({ after: (end) => ends.push(async () => end()) }, 'sqlite')
    const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
    must(await sam.post(`/admin/${await sendCollection(ada)}/approve/`, { admin_desc: 'Fine' }), 200)
    await server.settle()
    installation = await copyStopped(server, join(root, 'installation'))
  })
  after(async () => {
    for (const end of ends.toReversed()) await end()
    await rm(root, { recursive: true, force: true })
  })

  const folder = (name: string) => join(root, `${name}-${(count += 1)}`)
  const firstKey = async (kind: string) =>
    `${kind}/${(await readdir(join(installation.DATA_DIR, 'blobs', kind)))[0] ?? ''}`
  const pathOf = (dataDir: string, key: string) => join(dataDir, 'blobs', key)

  async function backUp(): Promise<string> {
    const target = folder('backup')
    assert.equal((await runCommand(['backup', target], installation)).status, 0)
    return target
  }

  async function copyInstallation(): Promise<StoppedInstallation> {
    const copy = { ...installation, DATA_DIR: folder('data') }
    await cp(installation.DATA_DIR, copy.DATA_DIR, { recursive: true })
    return copy
  }

  test('18.29 a file of a backup that cannot be read is named, and keeps nothing else from being restored, drilled or put back', async () => {
    const target = await backUp()
    const [key, other] = [await firstKey('originals'), await firstKey('certified')]
    await makeUnreadable(join(target, 'files', key))
    const place = { ...installation, DATA_DIR: folder('restored') }
    const restored = await runCommand(['restore', target], place)
    assert.equal(restored.status, 1)
    assert.match(
      restored.err,
      new RegExp(`^${key}: cannot be read in the backup\\nWhat is named here is not there now: .*$`),
    )
    const checked = await runCommand(['check'], place)
    assert.match(checked.err, new RegExp(`^${key}: missing\\n1 of \\d+ stored files`))
    assert.match(checked.out, /1 certified PDFs were checked: all are/)
    const drilled = await runCommand(['drill', target], installation)
    assert.equal(drilled.status, 1)
    assert.match(drilled.err, new RegExp(`^${key}: cannot be read in the backup\\n`))

    const copy = await copyInstallation()
    for (const lost of [key, other]) await rm(pathOf(copy.DATA_DIR, lost))
    const mended = await runCommand(['mend', target], copy)
    assert.deepEqual([mended.status, mended.err], [1, `${key}: missing, cannot be read in the backup`])
    assert.ok(existsSync(pathOf(copy.DATA_DIR, other)))
  })

  test('18.29 where the whole place of backups cannot be read, no file is called spoiled, and what failed is named', async () => {
    const target = await backUp()
    const key = await firstKey('originals')
    await makeUnreadable(join(target, 'files', key))
    // Opened before it went.
    const place = { ...installation, DATA_DIR: folder('restored') }
    const opened = await openTarget(openFolderShelf(target, lockFolder), undefined)
    await rename(join(target, 'backup.json'), join(target, 'aside.json'))
    const [snapshot = ''] = await readdir(join(target, 'snapshots'))
    const blobs = await openDiskStore(place.DATA_DIR)
    const files = { databaseFile: join(place.DATA_DIR, 'x.sqlite'), blobs, keysDir: undefined }
    await assert.rejects(restoreBackup(opened, snapshot, files), {
      name: 'StartFailure',
      message: new RegExp(`^${key} cannot be restored: ${target} cannot be read: `),
    })
  })

  test('18.29 what cannot be written where it is restored to ends the restore, by its name', async () => {
    const target = await backUp()
    const place = { ...installation, DATA_DIR: folder('no-room') }
    await mkdir(join(place.DATA_DIR, 'blobs'), { recursive: true })
    await writeFile(join(place.DATA_DIR, 'blobs/originals'), 'no folder')
    const { status, err } = await runCommand(['restore', target], place)
    assert.equal(status, 1)
    assert.match(err, /^originals\/\w+ cannot be restored: a (part of its path is not a folder|file is in its place)$/)
  })

  test('18.29 a database of a backup that cannot be read is named', async () => {
    const target = await backUp()
    const [snapshot = ''] = await readdir(join(target, 'snapshots'))
    await makeUnreadable(join(target, 'snapshots', snapshot, 'database'))
    const { status, err } = await runCommand(['restore', target], { ...installation, DATA_DIR: folder('none') })
    assert.equal(status, 1)
    assert.match(
      err,
      new RegExp(`^${snapshot}/database: cannot be read in the backup: no other backup stands there: .*$`),
    )
  })

  test('18.30 a stored file that cannot be read is named, and keeps nothing else from being saved', async () => {
    const copy = await copyInstallation()
    const key = await firstKey('originals')
    await makeUnreadable(pathOf(copy.DATA_DIR, key))
    const target = folder('backup')
    const saved = await runCommand(['backup', target], copy)
    assert.deepEqual([saved.status, saved.err], [3, `${key}: unreadable`])
    const place = { ...copy, DATA_DIR: folder('restored') }
    const restored = await runCommand(['restore', target], place)
    assert.deepEqual([restored.status, restored.err.split('\n')[0]], [1, `${key}: unreadable when it was saved`])
    // One that an earlier backup has is not read again.
    assert.equal((await runCommand(['backup', await backUp()], copy)).status, 0)
  })

  test('18.30 what cannot be written where it is saved ends the backup, by its name and that of the place', async () => {
    const target = await backUp()
    const key = await firstKey('originals')
    await makeUnreadable(join(target, 'files', key))
    const { status, err } = await runCommand(['backup', target], installation)
    assert.equal(status, 1)
    assert.match(err, new RegExp(`^files/${key} cannot be saved in ${target}: a folder is in its place$`))
    await rm(join(target, 'files'), { recursive: true })
    await writeFile(join(target, 'files'), 'no folder')
    assert.match((await runCommand(['backup', target], installation)).err, /^backup failed: ENOTDIR: /)
  })

  test('22.9 a file that cannot be read is named by a move, and keeps no other from being copied', async () => {
    const copy = await copyInstallation()
    const key = await firstKey('originals')
    const other = await firstKey('certified')
    await makeUnreadable(pathOf(copy.DATA_DIR, key))
    const [from, to] = [await openDiskStore(copy.DATA_DIR), await openDiskStore(folder('moved'))]
    const files = [key, other].map((wanted) => ({ key: wanted, sha256: null }))
    const copied = await copyFiles({ from, to }, files, () => {})
    assert.deepEqual(copied, { copied: 1, kept: 0, problems: [`${key}: unreadable`] })
  })
})
