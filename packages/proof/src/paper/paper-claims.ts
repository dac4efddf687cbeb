import { fromHex, toHex, type Bytes } from '../bytes.ts'
import { refuse } from '../errors.ts'
import { packProofId, unpackProofId } from '../proof-id.ts'
import { isSeconds } from '../seconds.ts'
import { writeUtf8 } from '../utf8.ts'
import { cutText } from './cut-text.ts'
import { decodeCbor, encodeCbor, type CborMap, type CborValue } from './cbor.ts'

/** What a certificate says on paper, and its code says again. */
export interface PaperClaims {
  /** Printed form. */
  proofId: string
  /** Username of the owner. Never cut: the proof is looked up by it. */
  username: string
  title: string
  /** It is longer, and begins like this. */
  isTitleCut: boolean
  organisation: string
  isOrganisationCut: boolean
  /** Seconds since 1970 UTC; the first second at which it no longer counts, null when it never ends. */
  approvedAt: number
  expiresAt: number | null
  /** Of all files together, without those of the certificate. */
  pages: number
  /** `computeFilesRoot` of the originals, lower-case hex. */
  filesRoot: string
  /** SHA-256 of the review document, which is what was approved, lower-case hex. */
  reviewDocument: string
}

/** What is to be claimed, before anything is cut. */
export type PaperFacts = Omit<PaperClaims, 'isTitleCut' | 'isOrganisationCut'>

const VERSION = 1

/** RFC 8392 section 3.1; the last is for private use, section 9.1. */
const CLAIM = { issuer: 1, subject: 2, expires: 4, issuedAt: 6, id: 7, own: -65_537 } as const

/** Cut is by the bit: 1 the title, 2 the organisation. */
const CUT = { title: 1, organisation: 2 } as const

/**
 * Bytes of UTF-8 for title, username and organisation together, so that the code can be read from a print of 100 dpi. Only
 * a long username takes more: title and organisation are left at least so much each.
 */
const TEXT_BYTES = 90
const ORGANISATION_BYTES = 32
const MIN_TITLE_BYTES = 24

const HASH = /^[0-9a-f]{64}$/

/**
 * Writes the claims: a map with the numbers of RFC 8392 for issuer, subject, expiry, time and id, and a list for all else:
 * version, title, pages, what was cut, root of the files, review document.
 * @throws ProofError `paper` for what could not be read again.
 */
export function encodePaperClaims(facts: PaperFacts): Bytes {
  const { proofId, username, approvedAt, expiresAt, pages, filesRoot, reviewDocument } = facts
  const organisation = cutText(facts.organisation, ORGANISATION_BYTES)
  const left = TEXT_BYTES - writeUtf8(username).length - writeUtf8(organisation.text).length
  const title = cutText(facts.title, Math.max(MIN_TITLE_BYTES, left))
  const cut = (title.isCut ? CUT.title : 0) + (organisation.isCut ? CUT.organisation : 0)
  const own = [VERSION, title.text, pages, cut, fromHex(filesRoot), fromHex(reviewDocument)]
  const claims = new Map<number, CborValue>([
    [CLAIM.issuer, organisation.text],
    [CLAIM.subject, username],
    [CLAIM.issuedAt, approvedAt],
    [CLAIM.id, packProofId(proofId) ?? refuse('paper', 'Proof ID')],
    [CLAIM.own, own],
  ])
  if (expiresAt !== null) claims.set(CLAIM.expires, expiresAt)
  const bytes = encodeCbor(claims)
  decodePaperClaims(bytes)
  return bytes
}

/**
 * Reads claims in their one form.
 * @throws ProofError `newer` for another version, `paper` for anything else.
 */
export function decodePaperClaims(bytes: Bytes): PaperClaims {
  const claims = decodeCbor(bytes)
  if (!(claims instanceof Map)) return refuse('paper', 'no claims')
  const own = (claims as CborMap).get(CLAIM.own)
  if (!Array.isArray(own)) return refuse('paper', 'no claims of ours')
  const [version, title, pages, cut, filesRoot, reviewDocument, ...others] = own as CborValue[]
  if (isCount(version) && version > VERSION) refuse('newer', `version ${version} of a code on paper`)
  if (version !== VERSION || others.length > 0) refuse('paper', 'version')
  if (!isCount(pages) || pages < 1) return refuse('paper', 'pages')
  if (!isCount(cut) || cut > CUT.title + CUT.organisation) return refuse('paper', 'what was cut')
  return {
    ...readCommon(claims as CborMap),
    title: isText(title) ? title : refuse('paper', 'title'),
    isTitleCut: (cut & CUT.title) !== 0,
    isOrganisationCut: (cut & CUT.organisation) !== 0,
    pages,
    filesRoot: readHash(filesRoot),
    reviewDocument: readHash(reviewDocument),
  }
}

type CommonClaims = Pick<PaperClaims, 'proofId' | 'username' | 'organisation' | 'approvedAt' | 'expiresAt'>

function readCommon(claims: CborMap): CommonClaims {
  const [organisation, username] = [claims.get(CLAIM.issuer), claims.get(CLAIM.subject)]
  const [approvedAt, expiresAt = null] = [claims.get(CLAIM.issuedAt), claims.get(CLAIM.expires)]
  const id = claims.get(CLAIM.id)
  // Whatever else is in it would not have been shown to anybody.
  if (claims.size !== (expiresAt === null ? 5 : 6)) refuse('paper', 'claims')
  if (!isText(organisation) || !isText(username)) return refuse('paper', 'names')
  if (!isSeconds(approvedAt) || !(expiresAt === null || isSeconds(expiresAt))) return refuse('paper', 'times')
  const proofId = id instanceof Uint8Array ? unpackProofId(id) : undefined
  return { proofId: proofId ?? refuse('paper', 'Proof ID'), username, organisation, approvedAt, expiresAt }
}

const isText = (value: CborValue | undefined): value is string => typeof value === 'string' && value !== ''
const isCount = (value: CborValue | undefined): value is number => typeof value === 'number' && value >= 0

function readHash(value: CborValue | undefined): string {
  const hex = value instanceof Uint8Array ? toHex(value) : ''
  return HASH.test(hex) ? hex : refuse('paper', 'hash')
}
