import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTarget } from '../backup/open-target.ts'
import { readManifest } from '../backup/read-manifest.ts'
import { listSpoiledKeys, restoreBackup } from '../backup/restore-backup.ts'
import { makeScratchFolder } from '../backup/scratch-folder.ts'
import { openStore } from '../blobs/open-store.ts'
import { lockFolder } from '../start/data-lock.ts'
import { DATABASE_FILE, openData } from '../start/open-data.ts'
import { adviseOnFiles, orOtherBackups } from './advise-spoiled.ts'
import { chooseSnapshot, openNamedShelf, readPlace } from './backup-places.ts'
import { checkEverything } from './check-everything.ts'
import { mindRoom } from './mind-room.ts'
import type { Terminal } from './terminal.ts'

const OPTIONS = { snapshot: { type: 'string' } } as const

/**
 * Restores the newest backup, or the one that is named, into a scratch folder, opens it as SQLite whatever it was saved from, and checks
 * all there is to check: a backup that nobody has restored is a hope. The installation itself is only asked for its keys; those of
 * the backup are read and compared.
 * @returns whether the backup could be lived from.
 */
export async function drillRestore(args: string[], terminal: Terminal): Promise<boolean> {
  const { place, values } = readPlace(args, OPTIONS, 'drill takes the folder or s3://… of a backup.')
  const { config, shelf } = await openNamedShelf(place, terminal.environment)
  const target = await openTarget(shelf, config.backupPassphrase)
  const snapshot = await chooseSnapshot(target, values.snapshot)
  const folder = await makeScratchFolder(tmpdir(), 'proofdesk-drill-', lockFolder)
  try {
    const wanted = await orOtherBackups(target, snapshot, () => readManifest(target, snapshot))
    await mindRoom(tmpdir(), wanted, config.minFreeMb)
    const dataDir = folder.path
    const scratch = { ...config, dataDir, databaseUrl: undefined, storage: undefined }
    const where = { databaseFile: join(dataDir, DATABASE_FILE), blobs: await openStore(scratch), keysDir: undefined }
    const restore = () => restoreBackup(target, snapshot, where)
    const { files, spoiled, lost, manifest } = await orOtherBackups(target, snapshot, restore)
    // They are not used: no copy of them is to lie where a drill works.
    spoiled.push(...(await listSpoiledKeys(target, snapshot, manifest)))
    for (const line of spoiled) terminal.err(line)
    adviseOnFiles(terminal, target, lost)
    terminal.out(`The backup of ${manifest.made_at} was restored: the database and ${files} files.`)
    const database = await openData(scratch)
    try {
      return (await checkEverything(scratch, database, terminal)) && spoiled.length === 0
    } finally {
      await database.close()
    }
  } finally {
    await folder.remove()
  }
}
