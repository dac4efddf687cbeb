import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** A file on its way: at its path there is nothing before it is finished, and then all of it, also after a power cut. */
export interface DurableFile {
  /** Hands the bytes to the system; they must not be changed later. */
  append(bytes: Uint8Array): Promise<void>
  /** Lets the disk begin with what has been appended while the caller does other things. */
  startSync(): void
  /**
   * Fsync, rename, fsync of the folder.
   * @param isPassedOn The file is moved from there: whoever moves it makes its name last.
   */
  finish(isPassedOn?: boolean): Promise<void>
  /** Leaves nothing. After `finish` has failed too. */
  discard(): Promise<void>
}

/** @param mode Permission bits of the new file. */
export async function openDurably(path: string, mode = 0o600): Promise<DurableFile> {
  const temporary = `${path}.part`
  const file = await open(temporary, 'w', mode)
  let syncing: Promise<void> | undefined
  return {
    append: (bytes) => writeWhole(file, bytes),
    startSync() {
      syncing = file.datasync()
      // told when it is finished: the system says only once that bytes did not reach the disk
      syncing.catch(() => undefined)
    },
    async finish(isPassedOn = false) {
      await syncing
      await file.sync()
      await file.close()
      await rename(temporary, path)
      if (!isPassedOn) await syncFolder(dirname(path))
    },
    async discard() {
      await syncing?.catch(() => undefined)
      await file.close().catch(() => undefined)
      await rm(temporary, { force: true })
    },
  }
}

async function writeWhole(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += (await file.write(bytes, at)).bytesWritten
}

/** Writes a file that is either there whole, also after a power cut, or not at all. */
export async function writeDurably(path: string, bytes: Uint8Array, mode?: number): Promise<void> {
  const file = await openDurably(path, mode)
  try {
    await file.append(bytes)
    await file.finish()
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
