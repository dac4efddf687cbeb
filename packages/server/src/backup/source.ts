import type { BlobStore } from '../blobs/blob-store.ts'
import { StartFailure } from '../config/start-failure.ts'
import { copyPostgresToSqlite } from '../db/copy/copy-to-sqlite.ts'
import { CopyFailure } from '../db/copy/table-shapes.ts'
import { openPostgres, openSqlite, type OpenDatabase } from '../db/open.ts'
import { writeSqliteSnapshot } from '../db/write-sqlite-snapshot.ts'
import { listReferencedFiles, type ReferencedFile } from './queries.ts'

/** What is backed up: a running installation. */
export interface Source {
  /** Writes the database as it is at one moment into a new SQLite file. @throws StartFailure for one that cannot be copied. */
  saveDatabase(path: string): Promise<void>
  /** What the database needs now. */
  listFiles(): Promise<ReferencedFile[]>
  blobs: Pick<BlobStore, 'read' | 'check'>
  keysDir: string
  version: string
  /** Name and key of its log, by which it is told from others; undefined where no server has run on it. */
  log?: string | undefined
}

type DatabasePart = Pick<Source, 'saveDatabase' | 'listFiles'>

export function ofSqlite(file: string): DatabasePart {
  return {
    saveDatabase: async (path) => writeSqliteSnapshot(file, path),
    listFiles: () => listFilesOf(file),
  }
}

export function ofPostgres(url: string): DatabasePart {
  return {
    saveDatabase: (path) =>
      copyPostgresToSqlite(url, path).catch((cause: unknown) => {
        if (cause instanceof CopyFailure)
          throw new StartFailure(`The database cannot be saved: ${cause.message}`, { cause })
        throw cause
      }),
    listFiles: () => listAndClose(openPostgres(url, { maxConnections: 1 })),
  }
}

/** What a database file needs. */
export function listFilesOf(file: string): Promise<ReferencedFile[]> {
  return listAndClose(openSqlite(file))
}

async function listAndClose(database: OpenDatabase): Promise<ReferencedFile[]> {
  try {
    return await listReferencedFiles(database.db)
  } finally {
    await database.close()
  }
}
