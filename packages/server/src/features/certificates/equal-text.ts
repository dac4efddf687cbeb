import { timingSafeEqual } from 'node:crypto'

/** Longer than any username we keep, in bytes of UTF-8. */
const COMPARED_MOST = 4096
/** So many bytes are compared at a time, however short the texts are. */
const STEP = 256

/** Whether two texts are the same, in a time that does not depend on where they differ; of their length it tells 256 bytes apart. */
export function isEqualText(one: string, other: string): boolean {
  const written = Math.max(ONE.write(one), OTHER.write(other))
  const compared = Math.ceil(written / STEP) * STEP
  const isEqual = timingSafeEqual(ONE.subarray(0, compared), OTHER.subarray(0, compared))
  ONE.fill(0, 0, written)
  OTHER.fill(0, 0, written)
  return isEqual && one.length === other.length
}

// Used again for each comparison, which nothing interrupts; all zeros between them.
const ONE = Buffer.alloc(COMPARED_MOST)
const OTHER = Buffer.alloc(COMPARED_MOST)
