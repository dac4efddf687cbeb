import { statSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { openHashingStream } from './hashing-stream.ts'
import { sayIdentity, type Fingerprint } from './known-files.ts'

export interface HotLimits {
  /** Bytes kept in all. */
  bytes: number
  /** A larger file is never kept, in bytes. */
  fileBytes: number
  /** A file is kept from so many reads on. */
  reads: number
  /** After so many reads all counts are halved: what was read often long ago gives way. */
  halvedEvery: number
}

const HOT_LIMITS: HotLimits = { bytes: 64 << 20, fileBytes: 4 << 20, reads: 3, halvedEvery: 10_000 }
/** Paths whose reads are counted. */
const COUNTED = 1000
/** No count is higher. */
const MOST_READS = 15

/**
 * Files that are read again and again, in memory. What is given out always has the SHA-256 that was asked for. A file takes the
 * place of those that were not asked for longest only where it is asked for more often: who reads more files in turn than there
 * is room for would otherwise have each read anew into a place that is lost before it is asked for again.
 * @see Einziger, Friedman and Manes, "TinyLFU: A Highly Efficient Cache Admission Policy", 2017
 */
export interface HotFiles {
  /**
   * @returns the bytes, if they are kept and the file is still the one they were read from, by what the system says of it.
   */
  find(path: string, expected: Fingerprint): Uint8Array | undefined
  /**
   * Counts a read of a file that has just been found to be this one.
   * @returns its bytes where it is kept from now on.
   */
  keep(path: string, file: FileHandle, expected: Fingerprint): Promise<Uint8Array | undefined>
  /** The file has gone. */
  forget(path: string): void
}

interface Kept {
  bytes: Uint8Array
  sha256: string
  identity: string
}

export function openHotFiles(limits = HOT_LIMITS): HotFiles {
  /** What was asked for last is at the end. */
  const kept = new Map<string, Kept>()
  const reads = new Map<string, number>()
  let total = 0
  let counted = 0

  function forget(path: string): void {
    total -= kept.get(path)?.bytes.length ?? 0
    kept.delete(path)
  }

  /** @returns how often the file was asked for of late. */
  function countRead(path: string): number {
    const count = Math.min(MOST_READS, (reads.get(path) ?? 0) + 1)
    reads.delete(path)
    reads.set(path, count)
    const [oldest] = reads.keys()
    if (reads.size > COUNTED && oldest !== undefined) reads.delete(oldest)
    counted += 1
    if (counted % limits.halvedEvery === 0) for (const [one, times] of reads) reads.set(one, times >> 1)
    return count
  }

  /** Whether all that would have to go is asked for less often. */
  function mayEnter(size: number, count: number): boolean {
    let left = total + size
    for (const [path, { bytes }] of kept) {
      if (left <= limits.bytes) return true
      if ((reads.get(path) ?? 0) >= count) return false
      left -= bytes.length
    }
    return left <= limits.bytes
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
      if (one?.sha256 !== sha256) return undefined
      if (identify(path) !== one.identity) {
        forget(path)
        return undefined
      }
      put(path, one)
      countRead(path)
      return one.bytes
    },
    keep: async (path, file, { size, sha256 }) => {
      if (size > limits.fileBytes) return undefined
      const count = countRead(path)
      if (count < limits.reads || !mayEnter(size, count)) return undefined
      const identity = sayIdentity(await file.stat({ bigint: true }))
      const read = await readWhole(file)
      // It may have been written to since it was looked at.
      if (read.sha256 !== sha256) return undefined
      put(path, { ...read, identity })
      return read.bytes
    },
    forget,
  }
}

/** @returns undefined where the file cannot be looked at. */
function identify(path: string): string | undefined {
  try {
    // The system has it in memory, as it was just asked for: handing this over to a thread takes ten times as long.
    return sayIdentity(statSync(path, { bigint: true }))
  } catch {
    return undefined
  }
}

/** By position, and without closing it, so that whoever reads the file afterwards begins at its beginning. */
async function readWhole(file: FileHandle): Promise<{ bytes: Uint8Array; sha256: string }> {
  const pieces: Uint8Array[] = []
  const hashing = openHashingStream()
  const collect = new Writable({
    write: (piece: Uint8Array, _encoding, done) => {
      pieces.push(piece)
      done()
    },
  })
  await pipeline(file.createReadStream({ start: 0, autoClose: false }), hashing, collect)
  return { bytes: Buffer.concat(pieces), sha256: hashing.sha256() }
}
