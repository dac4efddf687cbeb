import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openStore } from '../blobs/open-store.ts'
import { lockFolder } from '../start/data-lock.ts'
import { DATABASE_FILE } from '../start/open-data.ts'
import { startTestServer } from '../testing.ts'
import { openFolderShelf } from './folder-shelf.ts'
import { openOrMakeTarget } from './open-target.ts'
import { ofSqlite } from './source.ts'
import { writeBackup } from './write-backup.ts'

test('18.47 where backups are encrypted nothing lies beside them that is not, at no moment, nor what an earlier version left', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'proofdesk-unsealed-'))
  t.after(() => rm(root, { recursive: true, force: true }))
  const server = await startTestServer(t, 'sqlite')
  const { keysDir, dataDir } = server.config
  const shelf = openFolderShelf(root, lockFolder)
  const target = await openOrMakeTarget(shelf, 'correct horse battery staple')
  await mkdir(join(root, 'scratch-left/inside'), { recursive: true })
  await writeFile(join(root, 'scratch-left/inside/plain.sqlite'), 'SQLite format 3')
  const listPlain = async () => {
    const entries = await readdir(root, { recursive: true, withFileTypes: true })
    const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
    const texts = await Promise.all(paths.map((path) => readFile(path, 'latin1')))
    return paths.filter((path, at) => !path.endsWith('proofdesk.lock') && texts[at]?.startsWith('SQLite format'))
  }
  const database = ofSqlite(join(dataDir, DATABASE_FILE))
  const lock = await shelf.lock()
  let copy = ''
  await writeBackup(
    target,
    {
      ...database,
      saveDatabase: async (path) => {
        await database.saveDatabase(path)
        copy = path
        assert.deepEqual(await listPlain(), [])
      },
      blobs: await openStore(server.config),
      keysDir,
      version: '1.0.0',
    },
    lock,
    Date.now(),
  )
  await lock.close()
  await assert.rejects(readFile(copy), { code: 'ENOENT' })
  assert.deepEqual((await readdir(root)).toSorted(), ['backup.json', 'proofdesk.lock', 'snapshots'])
})
