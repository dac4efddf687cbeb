import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { BlobStore } from '../blobs/blob-store.ts'
import { StartFailure } from '../config/start-failure.ts'
import { GUARD_BLOB } from '../log/head-guard.ts'

/** The last signed head that lies beside the files, where there is none yet: each start compares it, whichever it is. */
export async function copyGuard({ from, to }: { from: BlobStore; to: BlobStore }): Promise<void> {
  if ((await from.size(GUARD_BLOB)) === undefined || (await to.size(GUARD_BLOB)) !== undefined) return
  const aside = to.temporaryPath()
  try {
    await pipeline(await from.read(GUARD_BLOB), createWriteStream(aside, { flags: 'wx', mode: 0o600 }))
    await to.replaceFile(GUARD_BLOB, aside)
  } finally {
    await rm(aside, { force: true })
  }
}

/**
 * @param log Its name.
 * @throws StartFailure where files of another installation lie.
 */
export async function refuseForeignFiles(to: BlobStore, log: string): Promise<void> {
  if ((await to.size(GUARD_BLOB)) === undefined) return
  // c2sp.org/tlog-checkpoint: the first line is the name of the log.
  const [origin] = (await text(await to.read(GUARD_BLOB))).split('\n', 1)
  if (origin !== log)
    throw new StartFailure(`The files of another installation lie where files are copied to: its log is ${origin}`)
}
