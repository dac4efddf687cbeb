import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { BlobStore } from '../blobs/blob-store.ts'
import { AppError } from '../errors.ts'
import { makeKeyFile } from '../secrets/key-file.ts'

/** Followed by the size of its tree; those of earlier versions were not. */
const FILE = 'log.head'
export const GUARD_BLOB = 'log/guard'

/** The last head that was signed, kept where a database that is restored does not take it back. */
export interface HeadGuard {
  /** Every copy that can be read. */
  read(): Promise<string[]>
  /** Those in KEYS_DIR, of whichever process on it, and that which this process kept last. */
  readNewest(): Promise<string[]>
  /**
   * Returns when both copies survive a power cut. That in KEYS_DIR never takes the place of one of a larger tree, whichever
   * of several processes on the folder comes last; the other is that of the last to come.
   * @param size Of its tree.
   * @throws AppError `log_behind` where another head of this size was signed; `storage_unavailable`.
   */
  keep(note: string, size: number): Promise<void>
}

export function openHeadGuard(keysDir: string, blobs: BlobStore): HeadGuard {
  let newest: string | undefined

  async function keepInKeys(note: string, size: number): Promise<void> {
    const name = `${FILE}.${size}`
    const kept = await makeKeyFile(keysDir, name, note).catch((cause: unknown) => {
      throw new AppError('storage_unavailable', { cause })
    })
    // One that was there and is gone gave way to one of a larger tree.
    if (kept !== undefined && kept !== note) throw new AppError('log_behind')
    for (const other of await listKept(keysDir))
      if (readSize(other) < size) await rm(join(keysDir, other), { force: true })
  }

  const readInKeys = async () => Promise.all((await listKept(keysDir)).map((name) => readIfThere(join(keysDir, name))))

  return {
    async read() {
      const inKeys = await readInKeys()
      const inBlobs =
        (await blobs.size(GUARD_BLOB)) === undefined ? undefined : await text(await blobs.read(GUARD_BLOB))
      return [...inKeys, inBlobs].filter((note) => note !== undefined)
    },
    async readNewest() {
      return [...new Set([...(await readInKeys()), newest])].filter((note) => note !== undefined)
    },
    async keep(note, size) {
      await keepInKeys(note, size)
      const aside = blobs.temporaryPath()
      try {
        await writeFile(aside, note, { flag: 'wx', mode: 0o600 })
        await blobs.replaceFile(GUARD_BLOB, aside)
        newest = note
      } finally {
        await rm(aside, { force: true })
      }
    },
  }
}

async function listKept(keysDir: string): Promise<string[]> {
  return (await readdir(keysDir)).filter((name) => name === FILE || /^log\.head\.\d+$/.test(name))
}

/** Of a file's name; below every other for that of an earlier version. */
const readSize = (name: string): number => (name === FILE ? -1 : Number(name.slice(FILE.length + 1)))

async function readIfThere(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}
