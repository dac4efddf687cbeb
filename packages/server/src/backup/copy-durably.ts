import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { syncFolder } from '@proofdesk/certify/write-durably'
import { openHashingStream } from '../blobs/hashing-stream.ts'
import type { Saved } from './layout.ts'

/** Passes bytes through, and takes their size and hash where they are plain. */
interface Way {
  /** Before the hash is taken: to open what was sealed. */
  before?: Transform
  /** After it: to seal. */
  after?: Transform
}

/**
 * Copies to a path at which there is nothing before all of it is on the disk.
 * @param from The path of a file, or bytes.
 * @param mustBe Called with size and hash before it gets its name; what it throws leaves nothing.
 */
export async function copyDurably(
  from: string | Uint8Array,
  path: string,
  { before, after }: Way,
  mustBe: (copied: Saved) => void = () => {},
): Promise<Saved> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  // Of two that copy at once neither writes into the other's.
  const part = `${path}.${randomBytes(6).toString('hex')}.part`
  try {
    const hashing = openHashingStream()
    let size = 0
    const counting = new Transform({
      transform: (chunk: Uint8Array, _encoding, done) => {
        size += chunk.length
        done(null, chunk)
      },
    })
    const reading = typeof from === 'string' ? createReadStream(from) : Readable.from([from])
    const ways = [...(before ? [before] : []), hashing, counting, ...(after ? [after] : [])]
    await pipeline([reading, ...ways, createWriteStream(part, { mode: 0o600, flush: true })])
    const copied = { size, sha256: hashing.sha256() }
    mustBe(copied)
    await rename(part, path)
    await syncFolder(dirname(path))
    return copied
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}
