import { pipeline } from 'node:stream/promises'
import { openNowhere } from '../blobs/open-nowhere.ts'
import { readApart } from '../blobs/read-apart.ts'
import { explainSpoiled } from './explain-spoiled.ts'
import { filePath, type Saved } from './layout.ts'
import { limitBytes } from './limit-bytes.ts'
import { openMeasuring } from './measuring.ts'
import type { Target } from './open-target.ts'

/** No file that anybody can upload or have certified is larger; one that is is saved anew. */
const MOST_BYTES = 4 * 1024 ** 3

/**
 * A file that no backup names, as one that was broken off leaves it. It is read to its end: of a first backup that takes longer
 * than it may, each try would begin with nothing, and what is spoiled in the store by now must not take its place.
 * @returns undefined where anything else stands there, or nothing
 */
export async function findLeft(target: Target, key: string, sha256: string): Promise<Saved | undefined> {
  const { shelf, cipher } = target
  const path = filePath(key)
  if (!(await shelf.isThere(path))) return undefined
  const { streams, measured } = openMeasuring()
  try {
    const bytes = await readApart(() => shelf.read(path))
    await pipeline([bytes, cipher.open(key), limitBytes(MOST_BYTES, key), ...streams, openNowhere()])
  } catch (error) {
    await explainSpoiled(shelf, error)
    return undefined
  }
  const found = measured()
  return found.sha256 === sha256 ? found : undefined
}
