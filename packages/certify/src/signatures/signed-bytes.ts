import { createHash } from 'node:crypto'
import type { SignedRange } from './signed-range.ts'

/** How many bytes may still be hashed for one file: each of its signatures can ask for all of them anew. */
export interface HashBudget {
  bytesLeft: number
}

/** The digest of the signed bytes, by Node's name of the hash function; undefined when that would be too much. */
export function digestRange(
  bytes: Uint8Array,
  { gapStart, gapEnd, end }: SignedRange,
  hash: string,
  budget: HashBudget,
): Uint8Array | undefined {
  budget.bytesLeft -= end
  if (budget.bytesLeft < 0) return undefined
  return createHash(hash).update(bytes.subarray(0, gapStart)).update(bytes.subarray(gapEnd, end)).digest()
}

/** The signed bytes in one piece. */
export function joinRange(bytes: Uint8Array, { gapStart, gapEnd, end }: SignedRange): Uint8Array {
  return Buffer.concat([bytes.subarray(0, gapStart), bytes.subarray(gapEnd, end)])
}
