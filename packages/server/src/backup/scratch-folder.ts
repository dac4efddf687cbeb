import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { lstat, readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { LockFolder } from './lock-folder.ts'
import { letGoBeforeSignal } from './signal-end.ts'

/** Holds copies that nobody else may see, such as a database before it is sealed. */
export interface ScratchFolder {
  /** Empty at first. */
  path: string
  remove(): Promise<void>
}

/** Beside it lies the lock. */
const INSIDE = 'inside'
/** Something that is still being written may come into a folder while that is removed. */
const REMOVING = { recursive: true, force: true, maxRetries: 5 } as const

const open = new Set<string>()

/**
 * Makes a folder that goes with the process, also when a signal ends it. What SIGKILL or a power cut left under this prefix goes
 * first: nobody holds the lock in it any more.
 */
export async function makeScratchFolder(
  parent: string,
  prefix: string,
  lockFolder: LockFolder,
): Promise<ScratchFolder> {
  await removeLeftovers(parent, prefix, lockFolder)
  // First, since a signal that nobody listens to ends the process on the spot.
  const forget = letGoBeforeSignal()
  try {
    const { folder, lock } = makeLocked(parent, prefix, lockFolder)
    if (open.size === 0) process.on('exit', removeAll)
    open.add(folder)
    const path = join(folder, INSIDE)
    mkdirSync(path, { mode: 0o700 })
    return {
      path,
      remove: async () => {
        await rm(folder, REMOVING)
        open.delete(folder)
        if (open.size === 0) process.off('exit', removeAll)
        lock.close()
        forget()
      },
    }
  } catch (error) {
    forget()
    throw error
  }
}

/** Until it is locked it has another name, so that nobody takes it for a leftover. */
function makeLocked(parent: string, prefix: string, lockFolder: LockFolder) {
  const unlocked = mkdtempSync(join(parent, `.${prefix}`))
  try {
    const lock = lockFolder(unlocked, 'The folder', 'its maker is at work')
    const folder = join(parent, basename(unlocked).slice(1))
    renameSync(unlocked, folder)
    return { folder, lock }
  } catch (error) {
    rmSync(unlocked, REMOVING)
    throw error
  }
}

function removeAll(): void {
  for (const folder of open) rmSync(folder, REMOVING)
}

/** Removes what is left of folders under this prefix whose makers are gone. */
export async function removeLeftovers(parent: string, prefix: string, lockFolder: LockFolder): Promise<void> {
  for (const name of await readdir(parent)) {
    const folder = join(parent, name)
    if (!name.startsWith(prefix) || open.has(folder) || !(await isOurs(folder))) continue
    const lock = takeLock(folder, lockFolder)
    if (!lock) continue
    await rm(folder, REMOVING)
    lock.close()
  }
}

/** In a folder that all write to, others can put a link under this name. */
async function isOurs(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined)
  return found !== undefined && found.isDirectory() && found.uid === process.getuid?.()
}

/** @returns undefined where its maker is at work, or somebody else removes it now. */
function takeLock(folder: string, lockFolder: LockFolder): { close(): void } | undefined {
  try {
    return lockFolder(folder, 'The folder', 'its maker is at work')
  } catch {
    return undefined
  }
}
