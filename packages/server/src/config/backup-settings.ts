import { realpathSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { z } from 'zod'
import { ConfigError, type ReadOne } from './config-error.ts'
import { readStorage, type StorageSettings } from './storage-settings.ts'

export interface BackupSettings {
  /** Absolute path of the folder, or the `s3://` address, that a backup is added to each day; undefined: none is made. */
  backupDir: string | undefined
  /** What `backupDir` says where it is such an address. */
  backupBucket: StorageSettings | undefined
  /** So many backups stay. */
  backupKeep: number
  /** Backups are encrypted by it, and hold the keys then; undefined: they are not, and do not. */
  backupPassphrase: string | undefined
}

// oxlint-disable-next-line no-control-regex
const Place = z.string().refine((text) => text.isWellFormed() && !/[\u0000-\u001f\u007f]/.test(text))
const Count = z
  .string()
  .regex(/^[1-9]\d{0,3}$/)
  .transform(Number)
  .refine((count) => count <= 1000)

/** What is to be saved. */
interface Saved {
  dataDir: string
  keysDir: string
  storage: StorageSettings | undefined
}

/** @param cwd Where a relative folder starts. @throws ConfigError */
export function readBackups(read: ReadOne, cwd: string, { dataDir, keysDir, storage }: Saved): BackupSettings {
  const place = read<string | undefined>('BACKUP_DIR', Place, 'a folder or s3://… is expected', undefined)
  const isBucket = place?.startsWith('s3:') ?? false
  const backupDir = place === undefined || isBucket ? place : resolve(cwd, place)
  if (backupDir !== undefined && !isBucket) refuseAround(backupDir, { dataDir, keysDir })
  const backupBucket = isBucket ? readStorage(read, 'BACKUP_DIR') : undefined
  // Whatever stands among the files of backups, and is of none, goes when older ones do.
  if (backupBucket && storage && liesIn(storage, backupBucket))
    throw new ConfigError('BACKUP_DIR is wrong: the files of STORAGE_URL lie in it, which are what is to be saved')
  return {
    backupDir,
    backupBucket,
    backupKeep: read('BACKUP_KEEP', Count, 'a whole number from 1 to 1000 is expected', 14),
    backupPassphrase: read(
      'BACKUP_PASSPHRASE',
      z.string().min(12),
      'at least 12 characters are expected',
      undefined as string | undefined,
    ),
  }
}

/** @throws ConfigError */
function refuseAround(backupDir: string, { dataDir, keysDir }: Pick<Saved, 'dataDir' | 'keysDir'>): void {
  const outer = findRealPath(backupDir)
  const inner = findRealPath(dataDir)
  // A server holds the lock of its folder, so that each backup would find another one at work.
  if (inner === outer) throw new ConfigError('BACKUP_DIR is wrong: it is DATA_DIR, which is what is to be saved')
  // Whatever stands among the files of backups, and is of none, goes when older ones do.
  if (inner.startsWith(join(outer, sep)))
    throw new ConfigError('BACKUP_DIR is wrong: DATA_DIR lies in it, which is what is to be saved')
  const keys = findRealPath(keysDir)
  if (keys === outer || keys.startsWith(join(outer, sep)))
    throw new ConfigError('BACKUP_DIR is wrong: KEYS_DIR lies in it, which is to lie beside no backup')
}

/** Where a path leads by its links; what of it is not there yet is taken as it is written. */
function findRealPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(findRealPath(parent), basename(path))
  }
}

function liesIn(inner: StorageSettings, outer: StorageSettings): boolean {
  return inner.bucket === outer.bucket && inner.endpoint === outer.endpoint && inner.prefix.startsWith(outer.prefix)
}
