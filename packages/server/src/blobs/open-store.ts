import type { Config } from '../config/config.ts'
import type { Logger } from '../logger.ts'
import type { BlobStoreOnServer } from './blob-store.ts'
import { openDiskStore } from './disk.ts'

interface StoreOptions {
  /** A check reads what is stored, never a copy of it. */
  readsAnew?: boolean
  /** Hears of what went wrong and harms nobody. */
  logger?: Logger
}

/** The files of an installation, wherever its settings have them. @throws StartFailure */
export async function openStore(
  { dataDir, storage }: Pick<Config, 'dataDir' | 'storage'>,
  { readsAnew = false, logger }: StoreOptions = {},
): Promise<BlobStoreOnServer> {
  if (!storage) return openDiskStore(dataDir)
  // Most installations need none of it, and it is large.
  const { openS3Store } = await import('./s3.ts')
  return openS3Store(dataDir, storage, { readsAnew, logger })
}
