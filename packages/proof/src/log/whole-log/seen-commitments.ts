import { fromBase64Url } from '../../base64.ts'
import { readLatin1 } from '../../bytes.ts'

/** Of the 32 bytes of a commitment so many are kept: two that are alike in them were made so on purpose, which is as telling. */
const KEPT_BYTES = 16

/** One set holds no more than 2^24 texts. */
const SETS = 256

/** Which approvals were met, some 60 bytes each. */
export interface SeenCommitments {
  /** @param commitment 32 bytes; base64url. @returns whether it is met for the first time. */
  meet(commitment: string): boolean
}

/** Begins without one. */
export function openSeenCommitments(): SeenCommitments {
  const sets = Array.from({ length: SETS }, () => new Set<string>())
  return {
    meet(commitment) {
      const bytes = fromBase64Url(commitment) ?? new Uint8Array(KEPT_BYTES)
      const kept = readLatin1(bytes, 0, KEPT_BYTES)
      const set = sets[bytes[0]!]!
      const { size } = set
      return set.add(kept).size > size
    },
  }
}
