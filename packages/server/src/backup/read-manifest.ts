import { buffer } from 'node:stream/consumers'
import { SpoiledBackup } from './cipher.ts'
import { MANIFEST, Manifest, snapshotPath } from './layout.ts'
import type { Target } from './open-target.ts'

/** @throws SpoiledBackup */
export async function readManifest({ shelf, cipher }: Target, snapshot: string): Promise<Manifest> {
  const sealed = await shelf.read(snapshotPath(snapshot, MANIFEST))
  const bytes = await buffer(sealed.compose(cipher.open(`${snapshot}/${MANIFEST}`)))
  try {
    return Manifest.parse(JSON.parse(bytes.toString()))
  } catch (cause) {
    throw new SpoiledBackup(`the manifest of ${snapshot} cannot be read`, { cause })
  }
}
