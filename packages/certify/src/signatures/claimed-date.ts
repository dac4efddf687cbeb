import { parseDigits } from '@proofdesk/proof/der'
import type { SignedRange } from './signed-range.ts'

/** Signature dictionaries are short, apart from /Contents. */
const MOST_BYTES = 16_384
/** ISO 32000-2 section 7.9.4; without a zone it is UTC. */
const DATE = /\/M\s*\(D:(\d{14})(?:Z(?:00'?(?:00'?)?)?|([+-])(\d\d)'?(?:(\d\d)'?)?)?\)/

/**
 * The date of the signature dictionary, /M, from the signed bytes around the gap: a later revision may have put another
 * dictionary in its place, whose date the signer never saw. In encrypted files it cannot be read there.
 * @returns milliseconds since 1970 UTC.
 */
export function readClaimedDate(bytes: Uint8Array, { gapStart, gapEnd, end }: SignedRange): number | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const before = file.toString('latin1', Math.max(0, gapStart - MOST_BYTES), gapStart)
  const after = file.toString('latin1', gapEnd, Math.min(end, gapEnd + MOST_BYTES))
  const own = `${before.slice(before.lastIndexOf('obj') + 3)} ${after.slice(0, Math.max(0, after.indexOf('endobj')))}`
  const [, digits = '', sign, hours = '0', minutes = '0'] = DATE.exec(own) ?? []
  const time = parseDigits(digits, /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/)
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000
  return time === undefined ? undefined : time - (sign === '-' ? -offset : offset)
}
