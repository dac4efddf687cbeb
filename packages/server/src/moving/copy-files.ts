import { createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { ReferencedFile } from '../backup/queries.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import { forEachAtOnce } from '../blobs/for-each-at-once.ts'
import { holdsBytes } from '../blobs/holds-bytes.ts'
import { openHashingStream } from '../blobs/hashing-stream.ts'
import { explainUnread, readApart } from '../blobs/read-apart.ts'

/** Most of the time of one goes by in waiting for the store. */
const FILES_AT_ONCE = 8

export interface CopiedFiles {
  copied: number
  /** Were there already, byte by byte. */
  kept: number
  /** What was not copied, with why. */
  problems: string[]
}

/**
 * Copies stored files from one store to another. Each is read to its end before the other store gets it, and read again from
 * there: what is there already, as after an interruption, is compared and left. A file that is missing, not to be read, or
 * not as its row says is named and not copied.
 * @param tell After each file.
 */
export async function copyFiles(
  { from, to }: { from: BlobStore; to: BlobStore },
  files: readonly ReferencedFile[],
  tell: (done: number) => void,
): Promise<CopiedFiles> {
  const told: CopiedFiles = { copied: 0, kept: 0, problems: [] }
  let done = 0
  await forEachAtOnce(files, FILES_AT_ONCE, async (file) => {
    const became = await copyFile(from, to, file)
    if (became === 'copied' || became === 'kept') told[became] += 1
    else told.problems.push(`${file.key}: ${became}`)
    tell((done += 1))
  })
  return told
}

/** @returns what became of it, in words where that is a problem. */
async function copyFile(from: BlobStore, to: BlobStore, { key, sha256 }: ReferencedFile): Promise<string> {
  const aside = to.temporaryPath()
  try {
    const hashing = openHashingStream()
    try {
      const bytes = await readApart(() => from.read(key))
      await pipeline(bytes, hashing, createWriteStream(aside, { flags: 'wx', mode: 0o600 }))
    } catch (error) {
      return await explainUnread(from, error)
    }
    const found = { size: (await stat(aside)).size, sha256: hashing.sha256() }
    if (sha256 !== null && found.sha256 !== sha256) return 'altered'
    if ((await to.size(key)) !== undefined) return (await holdsBytes(to, key, found)) ? 'kept' : ANOTHER
    await to.putFile(key, aside)
    return (await holdsBytes(to, key, found)) ? 'copied' : ANOTHER
  } finally {
    await rm(aside, { force: true })
  }
}

const ANOTHER = 'other bytes stand under its name where it is copied to'
