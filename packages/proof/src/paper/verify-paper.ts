import { toHex } from '../bytes.ts'
import type { DocumentVerdict } from '../document-verdict.ts'
import { ProofError, type ProofErrorCode } from '../errors.ts'
import type { InstancePolicy } from '../instance-policy.ts'
import { findPaperCode } from './find-paper-code.ts'
import { openPaperCode } from './paper-code.ts'
import type { PaperClaims } from './paper-claims.ts'

/** What a code is judged by. */
export interface PaperQuestion {
  policy: Pick<InstancePolicy, 'paperKeys'>
  /** Milliseconds since 1970 UTC at which it is to count. */
  now: number
  /** Whether somebody asks about that time, as of documents. */
  isAsked?: boolean
}

/** The same words as of documents; what paper cannot know, that it was revoked, is not among them. */
export type PaperVerdict = Exclude<DocumentVerdict, 'revoked'>

/** All that a code says by itself. */
export interface PaperReport {
  verdict: PaperVerdict
  /** Why it is refused; null for `valid`, `expired` and `not_yet`. */
  code: ProofErrorCode | null
  /** What was signed; null unless a key of the policy signed it. */
  claims: PaperClaims | null
  /** Of the key that signed, lower-case hex; null where `claims` is. */
  keyId: string | null
}

/**
 * Verifies the code of a certificate on paper by itself. Whatever the text is, it answers and throws nothing.
 *
 * - `not_found`: no code of a certificate, or signed by a key that the policy does not name
 * - `altered`: it begins like a code, but is none in its one form (`paper`), or the signature is not that of the key that
 *   it names (`paper_signature`)
 */
export async function verifyPaper(text: string, { policy, now, isAsked }: PaperQuestion): Promise<PaperReport> {
  const found = findPaperCode(text)
  if (found === undefined) return { verdict: 'not_found', code: 'paper', claims: null, keyId: null }
  try {
    const { claims, keyId } = await openPaperCode(found, policy.paperKeys)
    const isOver = claims.expiresAt !== null && now >= claims.expiresAt * 1000
    const isEarly = isAsked && now < claims.approvedAt * 1000
    const verdict = isEarly ? 'not_yet' : isOver ? 'expired' : 'valid'
    return { verdict, code: null, claims, keyId: toHex(keyId) }
  } catch (error) {
    // what no reader throws is a fault of the program or the browser, and no finding about the code
    const code = error instanceof ProofError ? error.code : 'unsupported'
    return { verdict: toVerdict(code), code, claims: null, keyId: null }
  }
}

function toVerdict(code: ProofErrorCode): PaperVerdict {
  if (code === 'unsupported') return 'unavailable'
  if (code === 'newer') return 'newer'
  return code === 'paper_trust' ? 'not_found' : 'altered'
}
