import { timingSafeEqual } from 'node:crypto'

/** Longer than any username we keep, in bytes of UTF-8. */
const COMPARED_BYTES = 4096

/** Whether two texts are the same, in a time that does not depend on where they differ. */
export function isEqualText(one: string, other: string): boolean {
  fill(ONE, one)
  fill(OTHER, other)
  return timingSafeEqual(ONE, OTHER) && one.length === other.length
}

// Used again for each comparison, which nothing interrupts.
const ONE = Buffer.alloc(COMPARED_BYTES)
const OTHER = Buffer.alloc(COMPARED_BYTES)

function fill(bytes: Buffer, text: string): void {
  bytes.fill(0).write(text)
}
