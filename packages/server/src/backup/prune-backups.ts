import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { MANIFEST, snapshotPath } from './layout.ts'
import { listSnapshots, type Target } from './open-target.ts'
import { readManifest } from './read-manifest.ts'

/** Removes all but the newest snapshots, and the files that none of those needs. @returns how many snapshots went. */
export async function pruneBackups(target: Target, keep: number): Promise<number> {
  const snapshots = await listSnapshots(target)
  const old = snapshots.slice(0, Math.max(0, snapshots.length - keep))
  if (old.length === 0) return 0
  const needed = new Set<string>()
  for (const snapshot of snapshots.slice(old.length))
    for (const { key } of (await readManifest(target, snapshot)).files) needed.add(key)
  for (const snapshot of old) {
    // Without it the rest counts for nothing, wherever this is broken off.
    await rm(snapshotPath(target.path, snapshot, MANIFEST))
    await rm(snapshotPath(target.path, snapshot), { recursive: true })
  }
  const files = join(target.path, 'files')
  for (const entry of await readdir(files, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile() && !needed.has(path.slice(files.length + 1))) await rm(path)
  }
  return old.length
}
