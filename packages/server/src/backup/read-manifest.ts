import { createReadStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { SpoiledBackup } from './cipher.ts'
import { MANIFEST, Manifest, snapshotPath } from './layout.ts'
import type { Target } from './open-target.ts'

/** @throws SpoiledBackup */
export async function readManifest({ path, cipher }: Target, snapshot: string): Promise<Manifest> {
  const opening = createReadStream(snapshotPath(path, snapshot, MANIFEST)).compose(
    cipher.open(`${snapshot}/${MANIFEST}`),
  )
  const bytes = await buffer(opening)
  try {
    return Manifest.parse(JSON.parse(bytes.toString()))
  } catch (cause) {
    throw new SpoiledBackup(`the manifest of ${snapshot} cannot be read`, { cause })
  }
}
