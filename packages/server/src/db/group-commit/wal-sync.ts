import { closeSync, fdatasync, fstatSync, openSync } from 'node:fs'
import { promisify } from 'node:util'

/** Makes commits durable, together those that come while another sync is under way. */
export interface WalSync {
  /**
   * @returns when all that was committed before the call is on the disk.
   * @throws when the disk failed, now or before: what it holds is not known any more until the program starts anew. Also
   *   when the file cannot be opened, which may be another time.
   */
  sync(): Promise<void>
  close(): void
}

/** @returns when what was written to a file is on the disk. */
export const syncFile: (fd: number) => Promise<void> = promisify(fdatasync)

/**
 * @param path Of the database; SQLite appends its commits to a file beside it, which is there from the first one on.
 * @param sync Does as `syncFile`; one is under way at a time.
 */
export function openWalSync(path: string, sync = syncFile): WalSync {
  let file: number | undefined
  /** Under way. */
  let current = Promise.resolve()
  /** Begins after it, for all that come until then. */
  let next: Promise<void> | undefined

  function openFile(): number {
    // SQLite keeps the file as long as it writes; one that was taken from under it would be synced in vain.
    if (file !== undefined && fstatSync(file).nlink === 0) closeFile()
    return (file ??= openSync(`${path}-wal`, 'r+'))
  }

  function closeFile(): void {
    if (file !== undefined) closeSync(file)
    file = undefined
  }

  return {
    sync: () => {
      next ??= current.then(() => {
        const begun = next
        next = undefined
        // Where this fails nothing was asked of the disk yet, and the next sync makes up for it.
        const opened = openFile()
        current = begun ?? current
        return sync(opened)
      })
      return next
    },
    close: closeFile,
  }
}
