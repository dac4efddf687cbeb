import type { Bytes } from '../bytes.ts'
import { readUtf8 } from '../utf8.ts'

/** Found without reading JSON: programs do not agree on names that stand twice, on numbers, and on how deep it may go. */
const REFERENCE = /"ref"[ \t\n\r]*:[ \t\n\r]*(\d+)/g

/**
 * To which entries an entry refers, of whatever kind and form it is: one that is not known may revoke, too, and other programs may
 * read what this one does not.
 */
export function listReferences(entry: Bytes): number[] {
  return [...(readUtf8(entry) ?? '').matchAll(REFERENCE)].map(([, digits]) => Number(digits))
}
