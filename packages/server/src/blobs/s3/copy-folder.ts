import { mkdir, readdir, rename, rm, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Logger } from '../../logger.ts'
import type { Incoming } from '../incoming.ts'
import type { Fingerprint } from '../known-files.ts'
import { isNoFile } from '../or-unavailable.ts'
import type { ObjectState } from './read-object.ts'

/** Between a key and what tells its objects apart; no key holds it. */
const MARK = '~'
/** Where there are too many, so much of what may be kept stays: the next ones then find room without a walk. */
const SHARE_LEFT = 0.9
/** Other processes have copies in the folder too: so often all are counted anew, in milliseconds, while some come in. */
const COUNT_EVERY_MS = 60_000

export interface CopyFolderOptions {
  folder: string
  incoming: Pick<Incoming, 'freeBytes'>
  /** Bytes kept in all, but never more than half of what the disk would have free without. */
  limitBytes: number
  /** Is told of each copy that goes. */
  onDrop: (path: string) => void
  logger: Pick<Logger, 'fail'> | undefined
  countEveryMs?: number | undefined
}

/**
 * Where copies lie and how many there may be. Their sum is kept as they come and go; all of them are walked over only where
 * they are too many, one walk at a time, and who reads a copy waits for none.
 */
export interface CopyFolder {
  /** Where the copy of an object is, or would be: by its key, its state and its SHA-256. */
  pathOf(key: string, state: ObjectState, expected: Fingerprint): Promise<string>
  /** Moves a whole file there. */
  put(aside: string, path: string, bytes: number): Promise<void>
  noteRead(path: string): void
  /** Has room made behind the back of who was just given a copy of so many bytes. One that is larger than all goes at once. */
  settle(path: string, bytes: number): Promise<void>
  drop(path: string): Promise<void>
  /** Removes every copy. Whether it succeeds, who needs the room finds out. */
  clear(): Promise<void>
  /** Removes every copy of a key. */
  forget(key: string): Promise<void>
}

export async function openCopyFolder(options: CopyFolderOptions): Promise<CopyFolder> {
  const { folder, incoming, limitBytes, onDrop, logger, countEveryMs = COUNT_EVERY_MS } = options
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await removeLoose(folder)
  /** Milliseconds since 1970 UTC, by path. */
  const lastRead = new Map<string, number>()
  /** Bytes of all copies, as far as this process knows. */
  let total = 0
  let countedAt = 0
  let lastWalk: Promise<void> = Promise.resolve()
  let tidying: Promise<void> | undefined
  let clearing: Promise<void> | undefined

  const findLimit = async (most: number) => Math.min(most, (total + (await incoming.freeBytes())) / 2)
  const logFault = (error: unknown) => logger?.fail('copies of stored files could not be removed', error)

  /** Never fails: that there is no room yet must spoil nobody's reading. */
  function walkInTurn(work: () => Promise<void>): Promise<void> {
    lastWalk = lastWalk.then(work).catch(logFault)
    return lastWalk
  }

  async function drop(path: string): Promise<void> {
    onDrop(path)
    lastRead.delete(path)
    try {
      const { size } = await stat(path)
      await unlink(path)
      total = Math.max(0, total - size)
    } catch (error) {
      if (!isNoFile(error)) throw error
    }
  }

  /** Who reads a copy has it open, and reads on when its name goes. */
  async function prune(most: number): Promise<void> {
    const before = total
    const copies = await listCopies(folder)
    countedAt = performance.now()
    const paths = new Set(copies.map(({ path }) => path))
    for (const path of lastRead.keys()) if (!paths.has(path)) lastRead.delete(path)
    // What came in meanwhile counts, rather twice than not at all.
    total = copies.reduce((sum, { size }) => sum + size, 0) + total - before
    const limit = await findLimit(most)
    if (total <= limit) return
    const readAt = ({ path, changedAt }: Copy) => lastRead.get(path) ?? changedAt
    for (const { path } of copies.toSorted((a, b) => readAt(a) - readAt(b))) {
      if (total <= limit * SHARE_LEFT) return
      await drop(path)
    }
  }

  async function tidy(): Promise<void> {
    if (performance.now() - countedAt >= countEveryMs) await prune(limitBytes)
    while (total > (await findLimit(limitBytes))) await prune(limitBytes)
  }

  await walkInTurn(() => prune(limitBytes))
  return {
    pathOf: async (key, { size, tag, changedAt }, { sha256 }) => {
      const state = JSON.stringify([size, tag, changedAt, sha256])
      return join(folder, await nameShard(key), `${nameKey(key)}${await hashText(state)}`)
    },
    put: async (aside, path, bytes) => {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await rename(aside, path)
      total += bytes
      lastRead.set(path, Date.now())
    },
    noteRead: (path) => void lastRead.set(path, Date.now()),
    settle: async (path, bytes) => {
      if (bytes > limitBytes) await drop(path).catch(logFault)
      else
        tidying ??= walkInTurn(tidy).finally(() => {
          tidying = undefined
        })
    },
    drop,
    clear: () =>
      (clearing ??= walkInTurn(() => prune(0)).finally(() => {
        clearing = undefined
      })),
    forget: async (key) => {
      const [shard, start] = [join(folder, await nameShard(key)), nameKey(key)]
      for (const name of await listNames(shard)) if (name.startsWith(start)) await drop(join(shard, name))
    },
  }
}

interface Copy {
  path: string
  /** Bytes. */
  size: number
  /** Milliseconds since 1970 UTC. */
  changedAt: number
}

async function listCopies(folder: string): Promise<Copy[]> {
  const copies: Copy[] = []
  const shards = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory())
  for (const shard of shards)
    for (const name of await listNames(join(folder, shard.name))) {
      const path = join(folder, shard.name, name)
      const stats = await stat(path).catch(() => undefined)
      if (stats?.isFile()) copies.push({ path, size: stats.size, changedAt: stats.mtimeMs })
    }
  return copies
}

/** None where the folder is not there. */
async function listNames(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (isNoFile(error)) return []
    throw error
  })
}

/** Copies from before they lay in folders by their keys: nobody would find them to remove them. */
async function removeLoose(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (!entry.isDirectory()) await rm(join(folder, entry.name), { force: true })
}

const nameKey = (key: string) => `${key.replaceAll('/', '_')}${MARK}`

/** One of 256 folders for each key, so that looking for its copies reads few names of others. */
const nameShard = async (key: string) => (await hashText(key)).slice(0, 2)

async function hashText(text: string): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))).toString('hex')
}
