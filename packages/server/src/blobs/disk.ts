import { constants } from 'node:fs'
import { copyFile, mkdir, open, readdir, rename, stat, statfs, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AppError } from '../errors.ts'
import type { BlobStoreOnServer } from './blob-store.ts'
import { openIncoming } from './incoming.ts'
import { openKnownReader } from './known-reader.ts'
import { isNoFile, orUnavailable } from './or-unavailable.ts'
import { splitKey } from './split-key.ts'

/** Folder under the root. */
const STORED = 'blobs'

/** Where a stored file lies. @throws TypeError for what is no key. */
export const pathOfBlob = (root: string, key: string): string => join(root, STORED, ...splitKey(key))

/** Files on the local disk: written beside, fsynced, renamed, and the folder fsynced, so that a name always has its bytes. */
export async function openDiskStore(root: string): Promise<BlobStoreOnServer> {
  const stored = join(root, STORED)
  await mkdir(stored, { recursive: true, mode: 0o700 })
  const { dir: incomingDir, temporaryPath, check: checkIncoming } = await openIncoming(root)
  const known = openKnownReader()
  const pathOf = (key: string) => pathOfBlob(root, key)

  async function publish(path: string, key: string): Promise<void> {
    const target = pathOf(key)
    await rename(path, target).catch(async (error: unknown) => {
      if (!isNoFile(error)) throw error
      // The first of its folder.
      await makeFolders(stored, dirname(target))
      await rename(path, target)
    })
    await syncFolder(dirname(target))
  }

  const putFile = (key: string, path: string, isFlushed = false) =>
    orUnavailable(path, async () => {
      if (!isFlushed) await syncFile(path)
      await publish(path, key)
    })

  const openStored = (path: string) => orMissing(open(path, 'r'))

  /** Where the whole store is gone, as a disk that is not there, nothing is known of the file. */
  async function orMissing<T>(work: Promise<T>): Promise<T> {
    return work.catch(async (cause: unknown) => {
      if (!isNoFile(cause)) throw cause
      await stat(stored)
      throw new AppError('file_missing', { cause })
    })
  }

  return {
    incomingDir,
    temporaryPath,
    check: async () => {
      await checkIncoming()
      await orUnavailable(undefined, () => readdir(stored))
    },
    putFile,
    flushIncoming: (path) => orUnavailable(undefined, () => syncFile(path)),
    replaceFile: (key, path) => putFile(key, path),

    putAppended: (key, baseKey, tail) => {
      const path = temporaryPath()
      return orUnavailable(path, async () => {
        // Shares the blocks where the file system can; copies elsewhere.
        await orMissing(copyFile(pathOf(baseKey), path, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL))
        const file = await open(path, 'a')
        try {
          await file.appendFile(tail)
          await file.sync()
        } finally {
          await file.close()
        }
        await publish(path, key)
      })
    },

    size: (key) =>
      orUnavailable(undefined, async () => {
        try {
          return (await stat(pathOf(key))).size
        } catch (error) {
          if (isNoFile(error)) return undefined
          throw error
        }
      }),

    read: (key, range) =>
      orUnavailable(undefined, async () => {
        const file = await openStored(pathOf(key))
        // The stream owns the handle from here and closes it once, at the end or when it is destroyed.
        return file.createReadStream(range ?? {})
      }),

    readKnown: (key, expected, range) =>
      orUnavailable(undefined, () => orMissing(known.read(pathOf(key), expected, range))),

    openLocal: (key) =>
      orUnavailable(undefined, async () => {
        const path = pathOf(key)
        await orMissing(stat(path))
        return { path, release: async () => {} }
      }),

    remove: (key) =>
      orUnavailable(undefined, async () => {
        known.forget(pathOf(key))
        await unlink(pathOf(key)).catch((error: unknown) => {
          if (!isNoFile(error)) throw error
        })
      }),

    freeBytes: () =>
      orUnavailable(undefined, async () => {
        const { bavail, bsize } = await statfs(stored)
        return bavail * bsize
      }),
  }
}

/** A folder's own name lives in the folder above it, which must reach the disk too. */
async function makeFolders(root: string, folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = folder; made !== root && made.startsWith(root); made = dirname(made)) await syncFolder(dirname(made))
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
