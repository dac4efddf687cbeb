import { rm } from 'node:fs/promises'
import type { BlobStore } from '../blobs/blob-store.ts'
import { explainSpoiled } from './explain-spoiled.ts'
import type { Saved } from './layout.ts'
import { listSnapshots, type Target } from './open-target.ts'
import type { ReferencedFile } from './queries.ts'
import { readManifests } from './read-manifest.ts'
import { fetchFile } from './restore-backup.ts'

/**
 * Looks for files in all backups of a place, the newest first.
 * @param damaged Is told why each backup that was passed over cannot be read.
 * @returns by key what stands there of those that do
 */
export async function findSaved(
  target: Target,
  wanted: readonly ReferencedFile[],
  damaged: string[],
): Promise<Map<string, Saved>> {
  const missing = new Map(wanted.map(({ key, sha256 }) => [key, sha256]))
  const found = new Map<string, Saved>()
  if (missing.size === 0) return found
  for await (const { files } of readManifests(target, (await listSnapshots(target)).toReversed(), damaged)) {
    for (const { key, ...saved } of files) {
      const sha256 = missing.get(key)
      if (sha256 === undefined || (sha256 !== null && sha256 !== saved.sha256)) continue
      found.set(key, saved)
      missing.delete(key)
    }
    if (missing.size === 0) break
  }
  return found
}

/**
 * Puts a file from a backup in the place of what stands under its key, whole or not at all.
 * @returns why it cannot be; undefined when it stands there
 */
export async function putBack(
  target: Target,
  blobs: BlobStore,
  key: string,
  saved: Saved,
): Promise<string | undefined> {
  const aside = blobs.temporaryPath()
  try {
    await fetchFile(target, key, saved, aside)
    await blobs.replaceFile(key, aside)
    return undefined
  } catch (error) {
    return await explainSpoiled(target.shelf, error)
  } finally {
    await rm(aside, { force: true })
  }
}
