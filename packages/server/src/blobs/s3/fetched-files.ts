import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError } from '../../errors.ts'
import type { Logger } from '../../logger.ts'
import type { ByteRange } from '../blob-store.ts'
import { openHashingStream } from '../hashing-stream.ts'
import type { Incoming } from '../incoming.ts'
import type { Fingerprint } from '../known-files.ts'
import { openKnownReader } from '../known-reader.ts'
import { isFullDisk, isNoFile } from '../or-unavailable.ts'
import { openCopyFolder } from './copy-folder.ts'
import type { ObjectState } from './read-object.ts'

/** Another process may take away what was just fetched. */
const TRIES = 3

export interface FetchedOptions {
  folder: string
  incoming: Pick<Incoming, 'temporaryPath' | 'freeBytes'>
  /** Bytes kept in all, but never more than half of what the disk would have free without; with 0 every reading fetches anew. */
  limitBytes: number
  fetch: (key: string, state: ObjectState) => Promise<Readable>
  logger?: Pick<Logger, 'fail'> | undefined
  /** How often all copies are counted anew, in milliseconds. */
  countEveryMs?: number
}

/**
 * Copies of stored objects on the local disk. Each is named by its key, the state of the object and the SHA-256 that it was
 * found to have, so that no copy passes for another object; and each is hashed again by every process before it is given out.
 */
export interface FetchedFiles {
  /** @throws AppError `file_altered` where the object is another one, and what `fetch` throws. */
  read(key: string, state: ObjectState, expected: Fingerprint, range?: ByteRange): Promise<Readable | Uint8Array>
  /** Removes every copy of a key. */
  forget(key: string): Promise<void>
}

export async function openFetchedFiles(options: FetchedOptions): Promise<FetchedFiles> {
  const { folder, incoming, limitBytes, fetch, logger, countEveryMs } = options
  const reader = openKnownReader()
  const copies = await openCopyFolder({ folder, incoming, limitBytes, onDrop: reader.forget, logger, countEveryMs })
  /** Several readers of one object wait for one fetching. */
  const fetching = new Map<string, Promise<void>>()

  async function fetchInto(path: string, key: string, state: ObjectState, expected: Fingerprint): Promise<void> {
    const aside = incoming.temporaryPath()
    try {
      const hashing = openHashingStream()
      await pipeline(await fetch(key, state), hashing, createWriteStream(aside, { flags: 'wx', mode: 0o600 }))
      if (hashing.sha256() !== expected.sha256) throw new AppError('file_altered')
      await copies.put(aside, path, expected.size)
    } finally {
      await rm(aside, { force: true })
    }
  }

  /** Copies make room for what is asked for now. */
  async function fetchWithRoom(...what: Parameters<typeof fetchInto>): Promise<void> {
    return fetchInto(...what).catch(async (error: unknown) => {
      if (!isFullDisk(error)) throw error
      await copies.clear()
      await fetchInto(...what)
    })
  }

  return {
    read: async (key, state, expected, range) => {
      const path = await copies.pathOf(key, state, expected)
      for (let tries = 1; ; tries++) {
        try {
          const bytes = await reader.read(path, expected, range)
          copies.noteRead(path)
          return bytes
        } catch (error) {
          const isSpoiled = error instanceof AppError && error.code === 'file_altered'
          if ((!isNoFile(error) && !isSpoiled) || tries === TRIES) throw error
          // It is the copy that is spoiled: what the object is, fetching it tells.
          if (isSpoiled) await copies.drop(path)
        }
        const under =
          fetching.get(path) ?? fetchWithRoom(path, key, state, expected).finally(() => fetching.delete(path))
        fetching.set(path, under)
        await under
        const bytes = await reader.read(path, expected, range).catch(unlessNoFile)
        await copies.settle(path, expected.size)
        if (bytes) return bytes
      }
    },
    forget: copies.forget,
  }
}

function unlessNoFile(error: unknown): undefined {
  if (!isNoFile(error)) throw error
}
