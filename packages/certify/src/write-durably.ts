import { constants, type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** A file on its way: at its path there is nothing before it is finished, and then all of it, also after a power cut. */
export interface DurableFile {
  /** The bytes are on the disk once this is done; meanwhile the caller may do other things, but neither append nor change them. */
  append(bytes: Uint8Array): Promise<void>
  /**
   * Rename, fsync of the folder.
   * @param isPassedOn The file is moved from there: whoever moves it makes its name last.
   */
  finish(isPassedOn?: boolean): Promise<void>
  /** Leaves nothing. After `finish` has failed too. */
  discard(): Promise<void>
}

/**
 * Each write waits for the disk, as if fdatasync followed: from 24.22 on Node lets no process under its permission model, as those are
 * that parse, call fsync.
 */
const { O_CREAT, O_DSYNC, O_TRUNC, O_WRONLY } = constants
const WRITE_THROUGH = O_WRONLY | O_CREAT | O_TRUNC | O_DSYNC

/** A new file is its owner's alone. */
export async function openDurably(path: string): Promise<DurableFile> {
  const temporary = `${path}.part`
  const file = await open(temporary, WRITE_THROUGH, 0o600)
  let appending: Promise<void> | undefined
  return {
    append: (bytes) => (appending = writeWhole(file, bytes)),
    async finish(isPassedOn = false) {
      await file.close()
      await rename(temporary, path)
      if (!isPassedOn) await syncFolder(dirname(path))
    },
    async discard() {
      await appending?.catch(() => undefined)
      await file.close().catch(() => undefined)
      await rm(temporary, { force: true })
    },
  }
}

async function writeWhole(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += (await file.write(bytes, at)).bytesWritten
}

/** Writes a file that is either there whole, also after a power cut, or not at all. @param isPassedOn As of `finish`. */
export async function writeDurably(path: string, bytes: Uint8Array, isPassedOn = false): Promise<void> {
  const file = await openDurably(path)
  try {
    await file.append(bytes)
    await file.finish(isPassedOn)
  } catch (error) {
    await file.discard()
    throw error
  }
}

/** Makes the names in a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
