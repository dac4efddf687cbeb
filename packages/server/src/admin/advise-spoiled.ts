import { SpoiledBackup } from '../backup/cipher.ts'
import { FILES } from '../backup/layout.ts'
import { listSnapshots, type Target } from '../backup/open-target.ts'
import type { Terminal } from './terminal.ts'

/**
 * Reads a backup whose database, keys and list of files have to be whole.
 * @throws SpoiledBackup that says which others there are to take, where one of them is not.
 */
export async function orOtherBackups<T>(target: Target, snapshot: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof SpoiledBackup)) throw error
    const others = (await listSnapshots(target)).filter((name) => name !== snapshot)
    const advice =
      others.length === 0
        ? 'no other backup stands there: take one from another place, or make a new one where the installation still is'
        : `take another one with --snapshot: ${others.join(', ')}`
    throw new SpoiledBackup(`${error.message}: ${advice}`, { cause: error })
  }
}

/** @param lost How many files of a backup are not what was saved any more. */
export function adviseOnFiles(terminal: Terminal, { shelf }: Target, lost: number): void {
  if (lost > 0)
    terminal.err(
      `Where the installation still has ${lost === 1 ? 'this file' : 'these files'}, remove ${lost === 1 ? 'it' : 'them'} from ${shelf.name}/${FILES}: the next backup saves ${lost === 1 ? 'it' : 'them'} anew.`,
    )
}
