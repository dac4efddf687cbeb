import { SpoiledBackup } from './cipher.ts'
import { FILES, MANIFEST, SNAPSHOTS, filePath, snapshotPath } from './layout.ts'
import { listSnapshots, type Target } from './open-target.ts'
import { readManifest } from './read-manifest.ts'

/**
 * Removes all but the newest snapshots, what others that were broken off have left, and the files that none of those that stay
 * needs; under the lock.
 * @throws SpoiledBackup, with nothing removed, where one that is to stay does not say any more what it needs.
 * @param spared Stay however old they are: one that was drilled and went well is worth more than newer ones that were not.
 * @returns how many snapshots went.
 */
export async function pruneBackups(target: Target, keep: number, spared: readonly string[] = []): Promise<number> {
  const { shelf } = target
  const snapshots = await listSnapshots(target)
  // What a first one that was broken off has saved the next one takes up, and where manifests were lost nothing else says what is needed.
  if (snapshots.length === 0) return 0
  const old = snapshots.slice(0, Math.max(0, snapshots.length - keep)).filter((name) => !spared.includes(name))
  const kept = new Set(snapshots.filter((name) => !old.includes(name)))
  const needed = new Set<string>()
  for (const snapshot of kept) for (const key of await listNeeded(target, snapshot)) needed.add(filePath(key))
  // Without it the rest counts for nothing, wherever this is broken off.
  for (const snapshot of old) await shelf.remove(snapshotPath(snapshot, MANIFEST))
  for (const path of await shelf.list(SNAPSHOTS)) if (!kept.has(path.split('/')[1] ?? '')) await shelf.remove(path)
  for (const path of await shelf.list(FILES)) if (!needed.has(path)) await shelf.remove(path)
  return old.length
}

async function listNeeded(target: Target, snapshot: string): Promise<string[]> {
  try {
    return (await readManifest(target, snapshot)).files.map(({ key }) => key)
  } catch (cause) {
    if (!(cause instanceof SpoiledBackup)) throw cause
    const folder = snapshotPath(snapshot)
    throw new SpoiledBackup(
      `No older backup was removed: ${cause.message}. Which files ${folder} needs is not known: remove it there once others are well`,
      { cause },
    )
  }
}
