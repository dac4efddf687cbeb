import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { writeDurably } from '@proofdesk/certify/write-durably'
import type { BlobStore } from '../blobs/blob-store.ts'

const FILE = 'log.head'
const BLOB = 'log/guard'

/** The last head that was signed, kept where a database that is restored does not take it back. */
export interface HeadGuard {
  /** Every copy that can be read. */
  read(): Promise<string[]>
  /** That which this process kept last. */
  newest(): string | undefined
  /** Returns when both copies survive a power cut. */
  keep(note: string): Promise<void>
}

export function openHeadGuard(keysDir: string, blobs: BlobStore): HeadGuard {
  const path = join(keysDir, FILE)
  let newest: string | undefined
  return {
    async read() {
      const inKeys = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined
        throw error
      })
      const inBlobs = (await blobs.size(BLOB)) === undefined ? undefined : await text(await blobs.read(BLOB))
      return [inKeys, inBlobs].filter((note) => note !== undefined)
    },
    newest: () => newest,
    async keep(note) {
      await writeDurably(path, Buffer.from(note))
      const aside = blobs.temporaryPath()
      try {
        await writeFile(aside, note, { flag: 'wx', mode: 0o600 })
        await blobs.putFile(BLOB, aside)
        newest = note
      } finally {
        await rm(aside, { force: true })
      }
    },
  }
}
