import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError } from '../../errors.ts'
import type { ByteRange } from '../blob-store.ts'
import { openHashingStream } from '../hashing-stream.ts'
import type { Incoming } from '../incoming.ts'
import type { Fingerprint } from '../known-files.ts'
import { openKnownReader } from '../known-reader.ts'
import { isFullDisk, isNoFile } from '../or-unavailable.ts'
import type { ObjectState } from './read-object.ts'

/** Between a key and what tells its objects apart; no key holds it. */
const MARK = '~'
/** Another process may take away what was just fetched. */
const TRIES = 3

export interface FetchedOptions {
  folder: string
  incoming: Incoming
  /** Bytes kept in all, but never more than half of what the disk would have free without; with 0 every reading fetches anew. */
  limitBytes: number
  fetch: (key: string, state: ObjectState) => Promise<Readable>
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

export async function openFetchedFiles({ folder, incoming, limitBytes, fetch }: FetchedOptions): Promise<FetchedFiles> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const reader = openKnownReader()
  /** Several readers of one object wait for one fetching. */
  const fetching = new Map<string, Promise<void>>()
  /** Milliseconds since 1970 UTC, by path. */
  const lastRead = new Map<string, number>()

  async function fetchInto(path: string, key: string, state: ObjectState, { sha256 }: Fingerprint): Promise<void> {
    const aside = incoming.temporaryPath()
    try {
      const hashing = openHashingStream()
      await pipeline(await fetch(key, state), hashing, createWriteStream(aside, { flags: 'wx', mode: 0o600 }))
      if (hashing.sha256() !== sha256) throw new AppError('file_altered')
      await rename(aside, path)
      lastRead.set(path, Date.now())
    } finally {
      await rm(aside, { force: true })
    }
  }

  /** Copies make room for what is asked for now. */
  async function fetchWithRoom(...what: Parameters<typeof fetchInto>): Promise<void> {
    return fetchInto(...what).catch(async (error: unknown) => {
      if (!isFullDisk(error)) throw error
      await prune(0)
      await fetchInto(...what)
    })
  }

  async function drop(path: string): Promise<void> {
    reader.forget(path)
    lastRead.delete(path)
    await rm(path, { force: true })
  }

  /** Who reads a copy has it open, and reads on when its name goes. */
  async function prune(most: number): Promise<void> {
    const copies = []
    for (const name of await readdir(folder)) {
      const path = join(folder, name)
      const stats = await stat(path).catch(() => undefined)
      if (stats?.isFile()) copies.push({ path, size: stats.size, readAt: lastRead.get(path) ?? stats.mtimeMs })
    }
    const paths = new Set(copies.map(({ path }) => path))
    for (const path of lastRead.keys()) if (!paths.has(path)) lastRead.delete(path)
    let total = copies.reduce((sum, { size }) => sum + size, 0)
    const limit = Math.min(most, (total + (await incoming.freeBytes())) / 2)
    for (const { path, size } of copies.toSorted((a, b) => a.readAt - b.readAt)) {
      if (total <= limit) return
      await drop(path)
      total -= size
    }
  }

  return {
    read: async (key, state, expected, range) => {
      const path = join(folder, await nameCopy(key, state, expected))
      for (let tries = 1; ; tries++) {
        try {
          const bytes = await reader.read(path, expected, range)
          lastRead.set(path, Date.now())
          return bytes
        } catch (error) {
          const isSpoiled = error instanceof AppError && error.code === 'file_altered'
          if ((!isNoFile(error) && !isSpoiled) || tries === TRIES) throw error
          // It is the copy that is spoiled: what the object is, fetching it tells.
          if (isSpoiled) await drop(path)
        }
        const under =
          fetching.get(path) ?? fetchWithRoom(path, key, state, expected).finally(() => fetching.delete(path))
        fetching.set(path, under)
        await under
        const bytes = await reader.read(path, expected, range).catch(unlessNoFile)
        await prune(limitBytes)
        if (bytes) return bytes
      }
    },
    forget: async (key) => {
      const start = nameKey(key)
      for (const name of await readdir(folder)) if (name.startsWith(start)) await drop(join(folder, name))
    },
  }
}

const nameKey = (key: string) => `${key.replaceAll('/', '_')}${MARK}`

async function nameCopy(key: string, { size, tag, changedAt }: ObjectState, { sha256 }: Fingerprint): Promise<string> {
  const state = new TextEncoder().encode(JSON.stringify([size, tag, changedAt, sha256]))
  return `${nameKey(key)}${Buffer.from(await crypto.subtle.digest('SHA-256', state)).toString('hex')}`
}

function unlessNoFile(error: unknown): undefined {
  if (!isNoFile(error)) throw error
}
