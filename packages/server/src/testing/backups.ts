import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFolderShelf } from '../backup/folder-shelf.ts'
import { openOrMakeTarget, type Target } from '../backup/open-target.ts'
import { restoreBackup, type Place, type Restored } from '../backup/restore-backup.ts'
import { ofSqlite, type Source } from '../backup/source.ts'
import { writeBackup } from '../backup/write-backup.ts'
import type { BlobStoreOnServer } from '../blobs/blob-store.ts'
import { openDiskStore } from '../blobs/disk.ts'
import { lockFolder } from '../start/data-lock.ts'
import { DATABASE_FILE } from '../start/open-data.ts'
import { startTestServer } from '../testing.ts'
import { addFile, openCollection } from './collections.ts'

interface TestContext {
  after(end: () => Promise<void>): unknown
}

/** An installation with two files, and a folder for its backups, all in this process. */
export async function openBackups(t: TestContext & Parameters<typeof startTestServer>[0], passphrase?: string) {
  const root = await mkdtemp(join(tmpdir(), 'proofdesk-backups-'))
  t.after(() => rm(root, { recursive: true, force: true }))
  const server = await startTestServer(t, 'sqlite')
  const ada = await server.signIn('ada')
  const collection = await openCollection(ada)
  for (let n = 0; n < 2; n += 1) await addFile(ada, collection)
  await server.settle()
  const { keysDir, dataDir } = server.config
  const folder = join(root, 'backups')
  await mkdir(folder)
  const shelf = openFolderShelf(folder, lockFolder)
  const source: Source = {
    ...ofSqlite(join(dataDir, DATABASE_FILE)),
    blobs: server.deps.blobs,
    keysDir,
    version: '1.0.0',
    log: 'ours',
  }
  let now = Date.parse('2026-01-02T03:04:05.006Z')
  let places = 0
  return {
    root,
    folder,
    shelf,
    server,
    ada,
    collection,
    source,
    keysDir,
    open: () => openOrMakeTarget(shelf, passphrase),
    write: (target: Target, other: Partial<Source> = {}, mustHold = async () => {}) =>
      writeBackup(target, { ...source, ...other }, { mustHold }, (now += 1000)),
    /** @returns what was restored, and where. */
    restore: async (
      target: Target,
      snapshot: string,
      given: Partial<Place> = {},
    ): Promise<{ restored: Restored; place: Place & { blobs: BlobStoreOnServer } }> => {
      const into = join(root, `restored-${(places += 1)}`)
      const place = {
        databaseFile: join(into, DATABASE_FILE),
        keysDir: join(into, 'keys'),
        ...given,
        blobs: (given.blobs ?? (await openDiskStore(into))) as BlobStoreOnServer,
      }
      return { restored: await restoreBackup(target, snapshot, place), place }
    },
  }
}
