import { joinBytes, type Bytes } from '../bytes.ts'
import { isSeconds } from '../seconds.ts'
import { writeUtf8 } from '../utf8.ts'

/** Bytes of the time before the signature itself. c2sp.org/tlog-cosignature, "Format". */
const TIME_BYTES = 8

/** The time of a cosignature in seconds since 1970 UTC, and the Ed25519 signature. */
export interface TimedSignature {
  time: number
  signature: Bytes
}

/** What a witness signs: the time and the text of the checkpoint. c2sp.org/tlog-cosignature, "Ed25519 signed message". */
export function writeCosignedMessage(time: number, text: string): Bytes {
  return writeUtf8(`cosignature/v1\ntime ${time}\n${text}`)
}

/** `timestamped_signature` of c2sp.org/tlog-cosignature, "Format". */
export function writeTimedSignature({ time, signature }: TimedSignature): Bytes {
  const head = new DataView(new ArrayBuffer(TIME_BYTES))
  head.setBigUint64(0, BigInt(time))
  return joinBytes(new Uint8Array(head.buffer), signature)
}

/** @returns undefined where there is no time, or one that no date can tell. c2sp.org/tlog-cosignature, "Format". */
export function readTimedSignature(bytes: Bytes): TimedSignature | undefined {
  if (bytes.length < TIME_BYTES) return undefined
  const time = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0))
  return isSeconds(time) ? { time, signature: bytes.slice(TIME_BYTES) } : undefined
}
