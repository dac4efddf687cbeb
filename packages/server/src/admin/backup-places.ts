import { join } from 'node:path'
import { listSnapshots, type Target } from '../backup/open-target.ts'
import { pathOfBlob } from '../blobs/disk.ts'
import type { Config } from '../config/config.ts'
import { StartFailure } from '../config/start-failure.ts'
import { DATABASE_FILE } from '../start/open-data.ts'
import { UsageError } from './terminal.ts'

/** Where an installation on SQLite has its database and files. @throws StartFailure for one elsewhere. */
export function findPlaces({ dataDir, databaseUrl, storage }: Config) {
  if (databaseUrl !== undefined)
    throw new StartFailure(
      'Backups are made of SQLite and files on a disk: save PostgreSQL by its own means, and then DATA_DIR',
    )
  if (storage !== undefined)
    throw new StartFailure(
      'Backups are made of SQLite and files on a disk: save the bucket of STORAGE_URL by the means of that store',
    )
  return { databaseFile: join(dataDir, DATABASE_FILE), pathOf: (key: string) => pathOfBlob(dataDir, key) }
}

/** The newest snapshot, or the one that was asked for. @throws UsageError */
export async function chooseSnapshot(target: Target, wanted: string | undefined): Promise<string> {
  const snapshots = await listSnapshots(target)
  const chosen = wanted === undefined ? snapshots.at(-1) : snapshots.find((name) => name === wanted)
  if (chosen === undefined)
    throw new UsageError(
      snapshots.length === 0 ? 'There is no whole backup yet.' : `There are these backups: ${snapshots.join(', ')}.`,
    )
  return chosen
}
