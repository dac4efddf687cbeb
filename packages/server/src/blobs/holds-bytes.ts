import { AppError } from '../errors.ts'
import type { BlobStore } from './blob-store.ts'

/** Whether the bytes under a key are these. @throws AppError `file_missing`, and whatever says nothing about them, such as a store that is away */
export async function holdsBytes(
  store: BlobStore,
  key: string,
  expected: { size: number; sha256: string },
): Promise<boolean> {
  try {
    const bytes = await store.readKnown(key, expected)
    if ('destroy' in bytes) bytes.destroy()
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'file_altered') return false
    throw error
  }
}
