import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { syncFolder } from '@proofdesk/certify/write-durably'
import type { Streams } from './shelf.ts'

/**
 * Writes what comes out of the last of these streams to a path at which there is nothing before all of it is on the disk.
 * @param check Called before it gets its name; what it throws leaves nothing.
 */
export async function copyDurably(
  streams: Readonly<Streams>,
  path: string,
  check: () => void = () => {},
): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  // Of two that copy at once neither writes into the other's.
  const part = `${path}.${randomBytes(6).toString('hex')}.part`
  try {
    await pipeline([...streams, createWriteStream(part, { mode: 0o600, flush: true })])
    check()
    await rename(part, path)
    await syncFolder(dirname(path))
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}
