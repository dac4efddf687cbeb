import { Transform } from 'node:stream'
import { openHashingStream } from '../blobs/hashing-stream.ts'
import type { Saved } from './layout.ts'

/** Streams that pass bytes on unchanged and take their size and hash. */
export interface Measuring {
  streams: [Transform, Transform]
  /** Once the last byte has passed. */
  measured(): Saved
}

export function openMeasuring(): Measuring {
  const hashing = openHashingStream()
  let size = 0
  const counting = new Transform({
    transform: (chunk: Uint8Array, _encoding, done) => {
      size += chunk.length
      done(null, chunk)
    },
  })
  return { streams: [hashing, counting], measured: () => ({ size, sha256: hashing.sha256() }) }
}
