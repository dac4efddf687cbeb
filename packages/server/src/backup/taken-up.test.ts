import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openStore } from '../blobs/open-store.ts'
import { lockFolder } from '../start/data-lock.ts'
import { DATABASE_FILE } from '../start/open-data.ts'
import { startTestServer } from '../testing.ts'
import { addFile, openCollection } from '../testing/collections.ts'
import { runCommand } from '../testing/stopped-installation.ts'
import { openFolderShelf } from './folder-shelf.ts'
import { openOrMakeTarget } from './open-target.ts'
import { ofSqlite } from './source.ts'
import { writeBackup } from './write-backup.ts'

for (const [secrecy, passphrase] of [
  ['plain', undefined],
  ['encrypted', 'correct horse battery staple'],
] as const)
  test(`18.49 what a backup that was broken off has saved is compared and kept by the next, but for what is spoiled there (${secrecy})`, async (t) => {
    const root = await mkdtemp(join(tmpdir(), 'proofdesk-taken-up-'))
    t.after(() => rm(root, { recursive: true, force: true }))
    const server = await startTestServer(t, 'sqlite')
    const { keysDir, dataDir } = server.config
    const ada = await server.signIn('ada')
    const collection = await openCollection(ada)
    for (let n = 0; n < 3; n++) await addFile(ada, collection)
    await server.settle()
    const shelf = openFolderShelf(root, lockFolder)
    const target = await openOrMakeTarget(shelf, passphrase)
    const blobs = await openStore(server.config)
    const read: string[] = []
    const source = {
      ...ofSqlite(join(dataDir, DATABASE_FILE)),
      blobs: { check: blobs.check, read: (key: string) => (read.push(key), blobs.read(key)) },
      keysDir,
      version: '1.0.0',
    }
    const broken = { mustHold: () => Promise.reject(new Error('broken off')) }
    await assert.rejects(writeBackup(target, source, broken, Date.now()), /broken off/)
    const [spoiled = ''] = read
    assert.ok(read.length >= 3)
    await writeFile(join(root, 'files', spoiled), 'something else')
    read.length = 0
    const written = await writeBackup(target, source, { mustHold: async () => {} }, Date.now())
    assert.deepEqual([read, written.copied], [[spoiled], 1])
    assert.ok(written.kept >= 2)
    const secret = passphrase === undefined ? {} : { BACKUP_PASSPHRASE: passphrase }
    const drilled = await runCommand(['drill', root], { DATA_DIR: dataDir, KEYS_DIR: keysDir, ...secret })
    assert.deepEqual([drilled.status, drilled.err], [0, ''])
  })
