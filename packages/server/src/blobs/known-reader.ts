import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { ByteRange } from './blob-store.ts'
import { openHotFiles } from './hot-files.ts'
import { openKnownFiles, type Fingerprint } from './known-files.ts'

/** Reads local files that must be exactly those of a fingerprint: from memory when they are read again and again. */
export interface KnownReader {
  /** @throws AppError `file_altered`; ENOENT when there is none. */
  read(path: string, expected: Fingerprint, range: ByteRange | undefined): Promise<Readable | Uint8Array>
  /** The file has gone. */
  forget(path: string): void
}

export function openKnownReader(): KnownReader {
  const knownFiles = openKnownFiles()
  const hot = openHotFiles()
  return {
    read: async (path, expected, range) => {
      const known = hot.find(path, expected)
      if (known) return cut(known, range)
      const file = await open(path, 'r')
      let bytes: Uint8Array | undefined
      try {
        await knownFiles.mustBe(path, file, expected)
        bytes = await hot.keep(path, file, expected)
      } catch (error) {
        hot.forget(path)
        await file.close()
        throw error
      }
      if (!bytes) return file.createReadStream(range ?? { start: 0 })
      await file.close()
      return cut(bytes, range)
    },
    forget: hot.forget,
  }
}

function cut(bytes: Uint8Array, range: ByteRange | undefined): Uint8Array {
  return range ? bytes.subarray(range.start, range.end + 1) : bytes
}
