import type { BigIntStats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { openNowhere } from './open-nowhere.ts'
import { AppError } from '../errors.ts'
import { openHashingStream } from './hashing-stream.ts'

/** Files whose look is remembered; a few hundred bytes each. */
const FILES_KEPT = 10_000
/** Bytes read at once. */
const CHUNK_BYTES = 256 * 1024

/** What a row says of a stored file. */
export interface Fingerprint {
  /** Bytes. */
  size: number
  /** Hex. */
  sha256: string
}

export interface KnownFiles {
  /**
   * Reads an open file to its end, the first time and whenever it was written to since, and compares. What the system says
   * of the file tells whether it is still the one that was read: its number, size, and times of change.
   * @throws AppError `file_altered`
   */
  mustBe(path: string, file: FileHandle, expected: Fingerprint): Promise<void>
}

export function openKnownFiles(): KnownFiles {
  /** By path; the oldest goes first. */
  const known = new Map<string, string>()
  /** Several readers of one file wait for one look at it. */
  const looking = new Map<string, Promise<void>>()

  async function look(path: string, file: FileHandle, expected: Fingerprint, identity: string): Promise<void> {
    if ((await hashFile(file)) !== expected.sha256) throw new AppError('file_altered')
    known.set(path, identity)
    const [oldest] = known.keys()
    if (known.size > FILES_KEPT && oldest !== undefined) known.delete(oldest)
  }

  return {
    mustBe: async (path, file, expected) => {
      const stats = await file.stat({ bigint: true })
      if (stats.size !== BigInt(expected.size)) throw new AppError('file_altered')
      const identity = `${sayIdentity(stats)} ${expected.sha256}`
      const seen = known.get(path)
      if (seen !== undefined) known.delete(path)
      if (seen === identity) {
        known.set(path, seen)
        return
      }
      const turn = `${path} ${identity}`
      const under = looking.get(turn) ?? look(path, file, expected, identity).finally(() => looking.delete(turn))
      looking.set(turn, under)
      await under
    },
  }
}

/** What the system says of a file that tells whether it is still the one that was read. */
export function sayIdentity({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ')
}

/** By position, and without closing it, so that whoever reads the file afterwards begins at its beginning. */
async function hashFile(file: FileHandle): Promise<string> {
  const hashing = openHashingStream()
  const bytes = file.createReadStream({ start: 0, autoClose: false, highWaterMark: CHUNK_BYTES })
  await pipeline(bytes, hashing, openNowhere())
  return hashing.sha256()
}
