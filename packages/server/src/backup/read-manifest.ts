import { buffer } from 'node:stream/consumers'
import { readApart } from '../blobs/read-apart.ts'
import { SpoiledBackup } from './cipher.ts'
import { explainSpoiled } from './explain-spoiled.ts'
import { MANIFEST, Manifest, snapshotPath } from './layout.ts'
import { limitBytes } from './limit-bytes.ts'
import type { Target } from './open-target.ts'

/** As many as a text may have. */
const MOST_BYTES = 500 * 1024 * 1024

/** @throws SpoiledBackup that names the snapshot; StartFailure where nothing can be read there. */
export async function readManifest({ shelf, cipher }: Target, snapshot: string): Promise<Manifest> {
  const name = `${snapshot}/${MANIFEST}`
  try {
    const sealed = await readApart(() => shelf.read(snapshotPath(snapshot, MANIFEST)))
    const bytes = await buffer(sealed.compose(cipher.open(name)).compose(limitBytes(MOST_BYTES, name)))
    return parse(bytes.toString(), snapshot)
  } catch (cause) {
    if (cause instanceof SpoiledBackup) throw cause
    throw new SpoiledBackup(`${name}: ${await explainSpoiled(shelf, cause)}`, { cause })
  }
}

function parse(text: string, snapshot: string): Manifest {
  try {
    return Manifest.parse(JSON.parse(text))
  } catch (cause) {
    throw new SpoiledBackup(`the manifest of ${snapshot} cannot be read`, { cause })
  }
}

/**
 * The manifests of several snapshots in turn, but for those that are damaged: what an old one has lost is no reason to save or
 * put back nothing any more.
 * @param damaged Is told why each that was passed over cannot be read.
 * @throws SpoiledBackup where backups are encrypted and none can be read: then it is the passphrase that is another, and what
 * stands there must not be written over.
 */
export async function* readManifests(
  target: Target,
  snapshots: readonly string[],
  damaged: string[],
): AsyncGenerator<Manifest> {
  let first: SpoiledBackup | undefined
  let isOneWell = false
  for (const snapshot of snapshots) {
    const manifest = await readManifest(target, snapshot).catch((error: unknown) => {
      if (!(error instanceof SpoiledBackup)) throw error
      first ??= error
      damaged.push(`The backup ${snapshot} is damaged, and was passed over: ${error.message}`)
      return undefined
    })
    if (!manifest) continue
    isOneWell = true
    yield manifest
  }
  if (first && !isOneWell && target.isEncrypted) throw first
}
