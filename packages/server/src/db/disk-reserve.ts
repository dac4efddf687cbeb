import { closeSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { dirname } from 'node:path'

const MEBIBYTE = 1024 * 1024
const RESERVE_BYTES = 4 * MEBIBYTE
/** Below this much free room the reserve is given up. */
const LOW_BYTES = MEBIBYTE
/** From this much on it is kept again. */
const PLENTY_BYTES = 8 * RESERVE_BYTES

/**
 * Room on the disk of an SQLite file that is held back while there is plenty, so that when the disk runs full people can
 * still sign in, decide, and delete what makes room.
 */
export interface DiskReserve {
  /** Looks at the disk before something is written: gives way when it is nearly full, and is kept again once it is not. */
  adjust(): void
  /** Gives the room away. @returns false when there was none. */
  giveWay(): boolean
}

/** @param path Of the file that holds the room; nothing in it is worth keeping. */
export function makeDiskReserve(path: string): DiskReserve {
  let isKept = statSync(path, { throwIfNoEntry: false })?.size === RESERVE_BYTES

  function giveWay(): boolean {
    if (!isKept) return false
    isKept = false
    rmSync(path, { force: true })
    return true
  }

  function keep(): void {
    // Not zeros: a file system that packs them would hold no room back.
    const filling = randomBytes(MEBIBYTE)
    try {
      const file = openSync(path, 'w', 0o600)
      try {
        for (let written = 0; written < RESERVE_BYTES;) written += writeSync(file, filling)
      } finally {
        closeSync(file)
      }
      isKept = true
    } catch {
      rmSync(path, { force: true })
    }
  }

  return {
    giveWay,
    adjust: () => {
      const { bavail, bsize } = statfsSync(dirname(path))
      const free = bavail * bsize
      if (isKept && free < LOW_BYTES) giveWay()
      else if (!isKept && free > PLENTY_BYTES) keep()
    },
  }
}
