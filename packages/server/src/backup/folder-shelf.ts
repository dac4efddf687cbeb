import { constants, createReadStream } from 'node:fs'
import { open, readdir, realpath, rm, rmdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, sep } from 'node:path'
import { makeFolder } from '@proofdesk/certify/make-folder'
import { explainDisk, StartFailure } from '../config/start-failure.ts'
import { copyDurably } from './copy-durably.ts'
import { FOUND_AGAIN } from './layout.ts'
import type { LockFolder } from './lock-folder.ts'
import { makeScratchFolder, removeLeftovers } from './scratch-folder.ts'
import { NotOnShelf, type Shelf } from './shelf.ts'

/** How the file that `lockFolder` makes begins, and what SQLite has beside it. */
const LOCK = 'proofdesk.lock'
const SCRATCH = 'scratch-'
/** What a first backup that was broken off leaves: a folder for its copies, or the half of `backup.json`. */
const LEFTOVER = new RegExp(`^\\.?${SCRATCH}|\\.[0-9a-f]+\\.part$`)

/** A folder of the local disk, its owner's alone. It is made when it is locked, for what is added. */
export function openFolderShelf(folder: string, lockFolder: LockFolder): Shelf {
  const at = (path: string) => join(folder, ...path.split('/'))
  return {
    name: folder,
    isEmpty: async () => (await readdir(folder)).every(countsForNothing),
    list: async (under) => {
      const found = await readdir(at(under), { recursive: true, withFileTypes: true }).catch(unlessMissing)
      return (found ?? [])
        .filter((entry) => entry.isFile())
        .map((entry) =>
          join(entry.parentPath, entry.name)
            .slice(folder.length + 1)
            .replaceAll(sep, '/'),
        )
    },
    isThere: async (path) => (await stat(at(path)).catch(unlessMissing))?.isFile() ?? false,
    read: async (path) => {
      // Else a pipe in its place would be waited for.
      const file = await open(at(path), constants.O_RDONLY | constants.O_NONBLOCK).catch(
        (cause: NodeJS.ErrnoException) => {
          if (cause.code === 'ENOENT') throw new NotOnShelf(path, { cause })
          throw cause
        },
      )
      if ((await file.stat()).isFile()) return createReadStream(at(path), { fd: file })
      await file.close()
      throw new Error('no file stands there')
    },
    write: async (path, streams) => {
      await mustLieIn(folder, dirname(at(path)), 'written to')
      await copyDurably(streams, at(path))
    },
    remove: async (path) => {
      await mustLieIn(folder, dirname(at(path)), 'removed in')
      await rm(at(path), { force: true })
      // Folders go with the last that is in them.
      for (let parent = dirname(at(path)); parent !== folder; parent = dirname(parent))
        if (
          !(await rmdir(parent).then(
            () => true,
            () => false,
          ))
        )
          return
    },
    lock: async () => {
      // Who only reads a folder that was mistyped makes none.
      await makeFolder(folder).catch((cause: unknown) => {
        throw new StartFailure(`Backups cannot be put into ${folder}: ${explainDisk(cause)}`, { cause })
      })
      const lock = lockFolder(folder, 'The folder', `another backup is being added to ${folder}`)
      return { mustHold: async () => {}, close: async () => lock.close() }
    },
    makeScratch: async (isSecret) => {
      // Here, where there is room for it.
      if (!isSecret) return makeScratchFolder(folder, SCRATCH, lockFolder)
      // Of a version that put it here all the same.
      await removeLeftovers(folder, SCRATCH, lockFolder)
      return makeScratchFolder(tmpdir(), 'proofdesk-backup-', lockFolder)
    },
  }
}

/**
 * Whoever else can write there could put a link in the place of a folder of ours, and have us remove what is behind it, or write
 * over it.
 * @param inner May not be there yet.
 * @throws StartFailure
 */
async function mustLieIn(folder: string, inner: string, doing: string): Promise<void> {
  const inside = await realpath(inner).catch(unlessMissing)
  if (inside === undefined) return inner === folder ? undefined : mustLieIn(folder, dirname(inner), doing)
  const outside = await realpath(folder)
  if (inside !== outside && !inside.startsWith(join(outside, sep)))
    throw new StartFailure(`Nothing is ${doing} ${inside}: it does not lie in ${folder}, but is linked there`)
}

function countsForNothing(name: string): boolean {
  return name.startsWith(LOCK) || name === FOUND_AGAIN || LEFTOVER.test(name)
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
