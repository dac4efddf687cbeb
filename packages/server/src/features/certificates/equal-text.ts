import { timingSafeEqual } from 'node:crypto'

/** Longer than any username we keep, in bytes of UTF-8. */
const COMPARED_BYTES = 4096

/** Whether two texts are the same, in a time that does not depend on where they differ. */
export function isEqualText(one: string, other: string): boolean {
  const same = timingSafeEqual(toFixedLength(one), toFixedLength(other))
  return same && one.length === other.length
}

function toFixedLength(text: string): Buffer {
  const bytes = Buffer.alloc(COMPARED_BYTES)
  bytes.write(text)
  return bytes
}
