import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import type { Fingerprint } from './known-files.ts'

export interface HotLimits {
  /** Bytes kept in all. */
  bytes: number
  /** A larger file is never kept, in bytes. */
  fileBytes: number
  /** A file is kept from so many reads on. */
  reads: number
  /** So long its bytes are given out before the disk is looked at again, in milliseconds. */
  trustMs: number
}

export const HOT_LIMITS: HotLimits = { bytes: 64 << 20, fileBytes: 4 << 20, reads: 3, trustMs: 1000 }
/** Paths whose reads are counted. */
const COUNTED = 1000

/** Files that are read again and again, in memory. What is given out always has the SHA-256 that was asked for. */
export interface HotFiles {
  /**
   * @returns the bytes, if they are kept and the file was looked at a moment ago; undefined otherwise: whoever then finds the
   *   file as it was says so by `keep`.
   */
  find(path: string, expected: Fingerprint): Uint8Array | undefined
  /**
   * Counts a read of a file that has just been found to be this one.
   * @returns its bytes where it is kept from now on, or was all the time.
   */
  keep(path: string, file: FileHandle, expected: Fingerprint): Promise<Uint8Array | undefined>
  /** The file has gone. */
  forget(path: string): void
}

interface Kept {
  bytes: Uint8Array
  sha256: string
  /** By a clock that only goes forwards, in milliseconds. */
  trustedUntil: number
}

export function openHotFiles(limits = HOT_LIMITS, clock = () => performance.now()): HotFiles {
  /** What was asked for last is at the end. */
  const kept = new Map<string, Kept>()
  const reads = new Map<string, number>()
  let total = 0

  function forget(path: string): void {
    total -= kept.get(path)?.bytes.length ?? 0
    kept.delete(path)
  }

  function isCountedOften(path: string): boolean {
    const count = (reads.get(path) ?? 0) + 1
    reads.delete(path)
    reads.set(path, count)
    const [oldest] = reads.keys()
    if (reads.size > COUNTED && oldest !== undefined) reads.delete(oldest)
    return count >= limits.reads
  }

  function put(path: string, one: Kept): void {
    forget(path)
    kept.set(path, one)
    total += one.bytes.length
    for (const oldest of kept.keys()) {
      if (total <= limits.bytes) break
      forget(oldest)
    }
  }

  return {
    find: (path, { sha256 }) => {
      const one = kept.get(path)
      if (one?.sha256 !== sha256 || one.trustedUntil < clock()) return undefined
      kept.delete(path)
      kept.set(path, one)
      return one.bytes
    },
    keep: async (path, file, { size, sha256 }) => {
      const trustedUntil = clock() + limits.trustMs
      const known = kept.get(path)
      if (known?.sha256 === sha256) {
        put(path, { ...known, trustedUntil })
        return known.bytes
      }
      if (size > limits.fileBytes || size > limits.bytes || !isCountedOften(path)) return undefined
      const bytes = await readWhole(file, size)
      // It may have been written to since it was looked at.
      if (createHash('sha256').update(bytes).digest('hex') !== sha256) return undefined
      put(path, { bytes, sha256, trustedUntil })
      return bytes
    },
    forget,
  }
}

/** By position, so that whoever reads the file afterwards begins at its beginning. */
async function readWhole(file: FileHandle, size: number): Promise<Uint8Array> {
  const bytes = Buffer.alloc(size)
  for (let done = 0; done < size;) {
    const { bytesRead } = await file.read(bytes, done, size - done, done)
    if (bytesRead === 0) break
    done += bytesRead
  }
  return bytes
}
