import { ReadFailure } from '../blobs/read-apart.ts'
import { explainStorage, StartFailure } from '../config/start-failure.ts'
import { SpoiledBackup } from './cipher.ts'
import { MARK } from './layout.ts'
import { NotOnShelf, type Shelf } from './shelf.ts'

/**
 * What is wrong with one file of a backup. A place that is well but for this file has a bad spot on its disk, at which nothing
 * else must stop.
 * @throws what says nothing about the file: StartFailure where the place cannot be read at all, and failures of where it goes
 */
export async function explainSpoiled(shelf: Shelf, error: unknown): Promise<string> {
  if (error instanceof SpoiledBackup) return 'not what was saved'
  if (!(error instanceof ReadFailure)) throw error
  await mustBeReadable(shelf)
  return error.cause instanceof NotOnShelf ? 'missing in the backup' : 'cannot be read in the backup'
}

async function mustBeReadable(shelf: Shelf): Promise<void> {
  try {
    const file = await shelf.read(MARK)
    // Whatever stands there can be read.
    for await (const _ of file) return
  } catch (cause) {
    throw new StartFailure(`${shelf.name} cannot be read: ${explainStorage(cause)}`, { cause })
  }
}
