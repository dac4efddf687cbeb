import { readProofId } from '../proof-id.ts'
import type { PaperClaims } from './paper-claims.ts'
import { formatPrintedTime } from './printed-time.ts'

/** What is printed on a certificate and stands in its code, too. */
export const PRINTED_FIELDS = [
  'proofId',
  'title',
  'username',
  'organisation',
  'approvedAt',
  'expiresAt',
  'pages',
] as const

export type PrintedField = (typeof PRINTED_FIELDS)[number]

/** As certificates print it where there is no end. */
export const NO_EXPIRY = 'No expiry'

/**
 * Compares what somebody reads on a page with what its code says. Case counts; blanks, what prints as nothing and the
 * ways of writing the same letters do not. Times may be as printed, or `2026-11-21`, `2026-11-21 00:54`.
 * @returns undefined where nothing was typed, otherwise whether it says the same.
 */
export function comparePrinted(field: PrintedField, claims: PaperClaims, typed: string): boolean | undefined {
  const printed = settle(typed)
  if (printed === '') return undefined
  switch (field) {
    case 'proofId':
      return readProofId(typed) === claims.proofId
    case 'title':
      return isSameText(printed, claims.title, claims.isTitleCut)
    case 'organisation':
      return isSameText(printed, claims.organisation, claims.isOrganisationCut)
    case 'username':
      return printed === settle(claims.username)
    case 'approvedAt':
      return isSameTime(printed, claims.approvedAt)
    case 'expiresAt':
      return claims.expiresAt === null
        ? printed.toLowerCase() === NO_EXPIRY.toLowerCase()
        : isSameTime(printed, claims.expiresAt)
    case 'pages':
      return /^\d{1,9}$/.test(printed) && Number(printed) === claims.pages
  }
}

/**
 * One way to write what looks the same: form NFKC, and without what prints as nothing, such as joiners, marks of direction and
 * soft hyphens. Those go first, since they keep letters and their accents apart.
 * @see Unicode Standard Annex 15; Unicode Standard section 5.21 (ignoring characters in processing)
 */
const settle = (text: string): string => text.replace(INVISIBLE, '').normalize('NFKC').replace(/\s+/g, ' ').trim()

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu

/** Of a text that was cut only the beginning is known; where nothing of that shows, nothing says that it is the same. */
function isSameText(printed: string, claimed: string, isCut: boolean): boolean {
  const known = settle(claimed)
  return isCut && known !== '' ? printed.startsWith(known) : printed === known
}

/** @param seconds since 1970 UTC */
function isSameTime(printed: string, seconds: number): boolean {
  const whole = formatPrintedTime(seconds * 1000).replace(ZONE, '')
  const [day, clock = ''] = new Date(seconds * 1000).toISOString().split('T')
  const forms = [whole, whole.split(',')[0], day, `${day} ${clock.slice(0, 5)}`]
  const typed = printed.replace(ZONE, '').toLowerCase()
  return forms.some((form) => form?.toLowerCase() === typed)
}

const ZONE = / UTC$/i
