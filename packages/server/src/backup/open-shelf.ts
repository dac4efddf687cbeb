import type { Config } from '../config/config.ts'
import { openFolderShelf } from './folder-shelf.ts'
import type { LockFolder } from './lock-folder.ts'
import type { Shelf } from './shelf.ts'

/** Where the backups of a setting stand. @throws StartFailure */
export async function openShelf(
  { backupDir, backupBucket }: { backupDir: string; backupBucket: Config['backupBucket'] },
  lockFolder: LockFolder,
): Promise<Shelf> {
  if (!backupBucket) return openFolderShelf(backupDir, lockFolder)
  // Most installations need none of it, and it is large.
  const { openBucketShelf } = await import('./bucket-shelf.ts')
  return openBucketShelf(backupBucket, lockFolder)
}
