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
  /** Returns when both copies survive a power cut. */
  keep(note: string): Promise<void>
}

export function openHeadGuard(keysDir: string, blobs: BlobStore): HeadGuard {
  const path = join(keysDir, FILE)
  return {
    async read() {
      const inKeys = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined
        throw error
      })
      const inBlobs = (await blobs.size(BLOB)) === undefined ? undefined : await text(await blobs.read(BLOB))
      return [inKeys, inBlobs].filter((note) => note !== undefined)
    },
    async keep(note) {
      await writeDurably(path, Buffer.from(note))
      const aside = blobs.temporaryPath()
      try {
        await writeFile(aside, note, { flag: 'wx', mode: 0o600 })
        await blobs.putFile(BLOB, aside)
      } finally {
        await rm(aside, { force: true })
      }
    },
  }
}
