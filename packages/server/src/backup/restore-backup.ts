import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { StartFailure } from '../config/start-failure.ts'
import { SpoiledBackup } from './cipher.ts'
import { copyDurably } from './copy-durably.ts'
import { DATABASE, filePath, KEYS, snapshotPath, type Manifest, type Saved } from './layout.ts'
import type { Target } from './open-target.ts'
import { readManifest } from './read-manifest.ts'

/** Where a backup is restored to. */
export interface Place {
  databaseFile: string
  pathOf: (key: string) => string
  /** Undefined: keys are not restored. */
  keysDir: string | undefined
}

export interface Restored {
  manifest: Manifest
  /** Files that the backup has no longer as they were written, and those that it never had. */
  spoiled: string[]
  hasKeys: boolean
}

/**
 * Restores a snapshot: the keys where nobody has any there, every file, and the database last, so that one that was broken
 * off is begun anew. Every byte is compared with the manifest. A file that is spoiled does not keep the others away.
 * @throws SpoiledBackup for the database or a key; StartFailure for keys that are others than those of the place.
 */
export async function restoreBackup(target: Target, snapshot: string, place: Place): Promise<Restored> {
  const manifest = await readManifest(target, snapshot)
  const hasKeys = place.keysDir !== undefined && (await restoreKeys(target, snapshot, manifest, place.keysDir))
  const spoiled = manifest.spoiled.map(({ key, why }) => `${key}: ${why} when it was saved`)
  for (const { key, ...saved } of manifest.files) {
    const problem = await load(target, filePath(target.path, key), key, place.pathOf(key), saved).catch(explainSpoiled)
    if (problem !== undefined) spoiled.push(`${key}: ${problem}`)
  }
  const from = snapshotPath(target.path, snapshot, DATABASE)
  await load(target, from, `${snapshot}/${DATABASE}`, place.databaseFile, manifest.database)
  return { manifest, spoiled, hasKeys }
}

async function restoreKeys(target: Target, snapshot: string, { keys }: Manifest, keysDir: string): Promise<boolean> {
  if (keys.length === 0) return false
  await mkdir(keysDir, { recursive: true, mode: 0o700 })
  if ((await readdir(keysDir)).length > 0)
    throw new StartFailure(`KEYS_DIR is not empty: ${keysDir}: move it away, or restore with --without-keys`)
  for (const { name, ...saved } of keys) {
    const parts = name.split('/')
    const from = snapshotPath(target.path, snapshot, KEYS, ...parts)
    await load(target, from, `${snapshot}/${KEYS}/${name}`, join(keysDir, ...parts), saved)
  }
  return true
}

async function load({ cipher }: Target, from: string, name: string, to: string, saved: Saved): Promise<undefined> {
  await copyDurably(from, to, { before: cipher.open(name) }, (copied) => {
    if (copied.size !== saved.size || copied.sha256 !== saved.sha256)
      throw new SpoiledBackup(`${name} is not what was saved`)
  })
}

/** @throws what says nothing about the file. */
function explainSpoiled(error: unknown): string {
  if (error instanceof SpoiledBackup) return 'not what was saved'
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'missing in the backup'
  throw error
}
