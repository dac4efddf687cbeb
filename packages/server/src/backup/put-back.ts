import { rm } from 'node:fs/promises'
import type { BlobStore } from '../blobs/blob-store.ts'
import { explainSpoiled } from './explain-spoiled.ts'
import type { Saved } from './layout.ts'
import { listSnapshots, type Target } from './open-target.ts'
import type { ReferencedFile } from './queries.ts'
import { readManifest } from './read-manifest.ts'
import { fetchFile } from './restore-backup.ts'

/** Looks for files in all backups of a place, the newest first. @returns by key what stands there of those that do */
export async function findSaved(target: Target, wanted: readonly ReferencedFile[]): Promise<Map<string, Saved>> {
  const missing = new Map(wanted.map(({ key, sha256 }) => [key, sha256]))
  const found = new Map<string, Saved>()
  for (const snapshot of (await listSnapshots(target)).toReversed()) {
    if (missing.size === 0) break
    const { files } = await readManifest(target, snapshot)
    for (const { key, ...saved } of files) {
      const sha256 = missing.get(key)
      if (sha256 === undefined || (sha256 !== null && sha256 !== saved.sha256)) continue
      found.set(key, saved)
      missing.delete(key)
    }
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
