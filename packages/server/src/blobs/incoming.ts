import { randomBytes } from 'node:crypto'
import { mkdir, open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { orUnavailable } from './or-unavailable.ts'

/** Files on their way in, and the folders of parsing processes; what is left there by a crash is swept. */
export const incomingFolder = (root: string): string => join(root, 'incoming')

/** The part of every store that is on the local disk: where a file lies until it is stored. */
export interface Incoming {
  dir: string
  temporaryPath(): string
  /** Bytes that the disk has left. */
  freeBytes(): Promise<number>
  /** @throws AppError `storage_unavailable` when nothing can be written there. */
  check(): Promise<void>
}

export async function openIncoming(root: string): Promise<Incoming> {
  const dir = incomingFolder(root)
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const temporaryPath = () => join(dir, randomBytes(16).toString('hex'))
  return {
    dir,
    temporaryPath,
    freeBytes: () =>
      orUnavailable(undefined, async () => {
        const { bavail, bsize } = await statfs(dir)
        return bavail * bsize
      }),
    check: async () => {
      const path = temporaryPath()
      await orUnavailable(path, async () => {
        const file = await open(path, 'wx', 0o600)
        try {
          await file.write('ready')
        } finally {
          await file.close()
        }
        await rm(path, { force: true })
      })
    },
  }
}
