import { pipeline } from 'node:stream/promises'
import { openNowhere } from '../../blobs/open-nowhere.ts'
import type { BlobStore } from '../../blobs/blob-store.ts'
import { openHashingStream } from '../../blobs/hashing-stream.ts'
import type { SpoiledFileRow } from '../../db/stored-file-tables.ts'
import { AppError } from '../../errors.ts'

export type FileFault = SpoiledFileRow['told']

/**
 * Reads a stored file to its end.
 * @returns what is wrong with it; undefined when it is as it was stored. @throws AppError `storage_unavailable`, which says nothing of it
 */
export async function judgeFile(
  blobs: BlobStore,
  { key, sha256 }: { key: string; sha256: string },
): Promise<FileFault | undefined> {
  const hashing = openHashingStream()
  try {
    await pipeline(await blobs.read(key), hashing, openNowhere())
  } catch (cause) {
    if (cause instanceof AppError && cause.code === 'file_missing') return 'missing'
    // A store that is well but for this file: its disk has a bad place, which the rounds must not stop at.
    await blobs.check()
    return 'unreadable'
  }
  return hashing.sha256() === sha256 ? undefined : 'altered'
}
