import type { ReferencedFile } from '../backup/queries.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import { judgeFile } from '../features/stored-files/judge-file.ts'

/**
 * Reads stored files to their ends.
 * @returns by key what is wrong with those that are not as their rows have them. @throws AppError `storage_unavailable`
 */
export async function findSpoiled(blobs: BlobStore, files: readonly ReferencedFile[]): Promise<Map<string, string>> {
  const wrong = new Map<string, string>()
  for (const file of files) {
    const told = await explainFile(blobs, file)
    if (told !== undefined) wrong.set(file.key, told)
  }
  return wrong
}

async function explainFile(blobs: BlobStore, { key, sha256 }: ReferencedFile): Promise<string | undefined> {
  if (sha256 !== null) return judgeFile(blobs, { key, sha256 })
  return (await blobs.size(key)) === undefined ? 'missing' : undefined
}
