import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'

/** Passes bytes on unchanged and takes their SHA-256. */
export type HashingStream = Transform & {
  /** Once the last byte has passed: 64 lower-case hex digits. */
  sha256(): string
}

/** Here and not in a thread: handing a piece over takes more of the processor than its hash (for 210 MB 0.3 and 0.15 s). */
export function openHashingStream(): HashingStream {
  const hash = createHash('sha256')
  const stream = new Transform({
    transform: (chunk: Uint8Array, _encoding, done) => {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  return Object.assign(stream, { sha256: () => hash.digest('hex') })
}
