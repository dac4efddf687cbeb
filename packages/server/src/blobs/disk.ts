import { constants } from 'node:fs'
import { copyFile, mkdir, open, rename, rm, stat, statfs } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { AppError } from '../errors.ts'
import type { BlobStore, ByteRange } from './blob-store.ts'
import { openHotFiles } from './hot-files.ts'
import { openKnownFiles } from './known-files.ts'

/** Folder names under the root; the second holds what is not stored yet. */
const STORED = 'blobs'
const INCOMING = 'incoming'

/** Files on their way in, and the folders of parsing processes; what is left there by a crash is swept. */
export const incomingFolder = (root: string): string => join(root, INCOMING)

/** Where a stored file lies. @throws TypeError for what is no key. */
export const pathOfBlob = (root: string, key: string): string => join(root, STORED, ...splitKey(key))

/** Files on the local disk: written beside, fsynced, renamed, and the folder fsynced, so that a name always has its bytes. */
export async function openDiskStore(root: string): Promise<BlobStore & { incomingDir: string }> {
  const stored = join(root, STORED)
  const incoming = incomingFolder(root)
  await mkdir(stored, { recursive: true, mode: 0o700 })
  await mkdir(incoming, { recursive: true, mode: 0o700 })
  const knownFiles = openKnownFiles()
  const hot = openHotFiles()
  const temporaryPath = () => join(incoming, randomBytes(16).toString('hex'))
  const pathOf = (key: string) => pathOfBlob(root, key)

  async function publish(path: string, key: string): Promise<void> {
    const target = pathOf(key)
    await makeFolders(stored, dirname(target))
    await rename(path, target)
    await syncFolder(dirname(target))
  }

  return {
    incomingDir: incoming,
    temporaryPath,

    putFile: (key, path) =>
      orUnavailable(path, async () => {
        await syncFile(path)
        await publish(path, key)
      }),

    putAppended: (key, baseKey, tail) => {
      const path = temporaryPath()
      return orUnavailable(path, async () => {
        // Shares the blocks where the file system can; copies elsewhere.
        await copyFile(pathOf(baseKey), path, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL)
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
          if (isMissing(error)) return undefined
          throw error
        }
      }),

    read: (key, range) =>
      orUnavailable(undefined, async () => {
        const file = await open(pathOf(key), 'r')
        // The stream owns the handle from here and closes it once, at the end or when it is destroyed.
        return file.createReadStream(range ?? {})
      }),

    readKnown: (key, expected, range) =>
      orUnavailable(undefined, async () => {
        const path = pathOf(key)
        const known = await hot.find(path, expected)
        if (known) return cut(known, range)
        const file = await open(path, 'r')
        let bytes: Uint8Array | undefined
        try {
          await knownFiles.mustBe(path, file, expected)
          bytes = await hot.keep(path, file, expected)
        } catch (error) {
          hot.forget(path)
          await file.close()
          throw error
        }
        if (!bytes) return file.createReadStream(range ?? { start: 0 })
        await file.close()
        return cut(bytes, range)
      }),

    openLocal: (key) =>
      orUnavailable(undefined, async () => {
        const path = pathOf(key)
        await stat(path)
        return { path, release: async () => {} }
      }),

    remove: (key) =>
      orUnavailable(undefined, async () => {
        hot.forget(pathOf(key))
        await rm(pathOf(key), { force: true })
      }),

    freeBytes: () =>
      orUnavailable(undefined, async () => {
        const { bavail, bsize } = await statfs(stored)
        return bavail * bsize
      }),

    check: async () => {
      const path = temporaryPath()
      await orUnavailable(path, async () => {
        const file = await open(path, 'wx', 0o600)
        try {
          await file.write('ready')
        } finally {
          await file.close()
        }
        await rm(path, { force: true })
      })
    },
  }
}

function splitKey(key: string): string[] {
  const parts = key.split('/')
  const isSound = parts.every((part) => /^[a-z0-9][a-z0-9.-]*$/.test(part))
  if (!isSound) throw new TypeError('a blob key has lower-case letters, digits, "/", "-" and "." only')
  return parts
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

function cut(bytes: Uint8Array, range: ByteRange | undefined): Uint8Array {
  return range ? bytes.subarray(range.start, range.end + 1) : bytes
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === 'ENOENT'
}

/**
 * Turns every failure of the disk into the one word callers know, and leaves no half-written file behind.
 * @param leftover What is removed after a failure.
 */
async function orUnavailable<T>(leftover: string | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (leftover !== undefined) await rm(leftover, { force: true }).catch(() => {})
    if (cause instanceof TypeError || cause instanceof AppError) throw cause
    throw new AppError('storage_unavailable', { cause })
  }
}
