import { Transform } from 'node:stream'
import { SpoiledBackup } from './cipher.ts'

/**
 * Passes so many bytes on and no more: who can write where backups stand could fill the disk or the memory of who reads them.
 * @param name Of what has more, which then fails with `SpoiledBackup`.
 */
export function limitBytes(most: number, name: string): Transform {
  let size = 0
  return new Transform({
    transform: (chunk: Uint8Array, _encoding, done) => {
      size += chunk.length
      if (size > most) done(new SpoiledBackup(`${name} is not what was saved`))
      else done(null, chunk)
    },
  })
}
