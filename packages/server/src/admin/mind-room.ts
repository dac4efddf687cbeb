import { statfs } from 'node:fs/promises'
import type { Manifest } from '../backup/layout.ts'
import { StartFailure } from '../config/start-failure.ts'

const BYTES_PER_MB = 1024 * 1024

/**
 * Looks whether what a backup holds fits into a folder. A disk that a drill filled would be full for the server, too.
 * @param leastMb What is to be free beside it.
 * @throws StartFailure
 */
export async function mindRoom(
  folder: string,
  { files, database }: Pick<Manifest, 'files' | 'database'>,
  leastMb: number,
): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  // A file takes whole blocks.
  const wanted = [database, ...files].reduce((sum, { size }) => sum + Math.ceil(size / bsize) * bsize, 0)
  if (bavail * bsize >= wanted + leastMb * BYTES_PER_MB) return
  const inMb = (bytes: number) => Math.ceil(bytes / BYTES_PER_MB)
  const beside = leastMb > 0 ? ` and ${leastMb} MB beside it (MIN_FREE_MB)` : ''
  throw new StartFailure(
    `There is too little room in ${folder}: the drill needs ${inMb(wanted)} MB${beside}, there are ${inMb(bavail * bsize)} MB: set TMPDIR to a folder with more`,
  )
}
