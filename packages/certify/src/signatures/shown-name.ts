import { type DerElement, readElement, readOid, TAG } from '@proofdesk/proof/der'
import { readFirst } from './bounded-der.ts'

const COMMON_NAME = '2.5.4.3'
const ORGANISATION = '2.5.4.10'

/** UTF-16 units. */
const LONGEST_NAME = 200
/** Enough for a name of full length with much in it that is taken out. */
const MOST_BYTES = 4000
const MOST_PARTS = 50

/** How each type of string is written (X.690 section 8.23); T.61 is in practice ISO 8859-1. */
const ENCODINGS: Record<number, string> = {
  0x0c: 'utf-8',
  0x12: 'latin1',
  0x13: 'latin1',
  0x14: 'latin1',
  0x16: 'latin1',
  0x1a: 'latin1',
  0x1e: 'utf-16be',
}

/** What orders, hides or breaks text: all but the joiners, which names in Persian and Indian scripts are spelt with. */
const UNSHOWN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]/gu

/**
 * Common name, else organisation, else all parts of a distinguished name; where one stands several times, the last one is the
 * most special. RFC 5280 section 4.1.2.4.
 * @param name DER.
 * @returns null when nothing of it can be shown.
 * @throws ProofError `der`.
 */
export function readShownName(name: Uint8Array<ArrayBuffer>): string | null {
  const parts = readFirst(readElement(name), TAG.sequence, MOST_PARTS)
    .flatMap((set) => readFirst(set, TAG.set, MOST_PARTS))
    .slice(0, MOST_PARTS)
    .map((part) => {
      const [type, value] = readFirst(part, TAG.sequence, 2)
      return { type: readOid(type), text: value ? showText(readText(value)) : '' }
    })
    .filter(({ text }) => text !== '')
  const shown = [COMMON_NAME, ORGANISATION].map((type) => parts.findLast((part) => part.type === type)?.text)
  const whole = showText(parts.map(({ text }) => text).join(', '))
  return shown[0] ?? shown[1] ?? (whole || null)
}

function readText({ tag, contents }: DerElement): string {
  const encoding = ENCODINGS[tag]
  return encoding === undefined ? '' : new TextDecoder(encoding).decode(contents.subarray(0, MOST_BYTES))
}

function showText(text: string): string {
  const plain = text.replaceAll(/\s+/g, ' ').replaceAll(UNSHOWN, '').trim()
  // not the first half of a character
  return plain.slice(0, LONGEST_NAME).replace(/[\ud800-\udbff]$/, '')
}
