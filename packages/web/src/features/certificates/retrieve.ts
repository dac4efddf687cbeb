import { isUnlogged } from '@proofdesk/proof/document-verdict'
import { describeProof, retrieveCertifiedPdf, type ProofDetails } from '@proofdesk/contract/certificates'
import { RevocationReason } from '@proofdesk/contract/proof-verdict'
import { readProofId } from '@proofdesk/proof/proof-id'
import { ApiError, NetworkError } from '../../lib/api-error.ts'
import { call, callFile } from '../../lib/call.ts'
import { sayWait, wordsOf } from '../../lib/error-words.ts'
import { sayReason } from '../../lib/revocation-words.ts'
import { m } from '../../paraglide/messages.js'
import { checkDocument, type CheckedDocument } from './check-document.ts'
import type { ProofFields } from './verify-form.tsx'

export interface Verified {
  kind: 'verified'
  /** As it is printed, however it was typed. */
  proofId: string
  username: string
  pdf: Blob
  /** What the certificate says; absent where only the PDF could be had. */
  details: ProofDetails | undefined
  /** What this browser found out by itself; absent where it could not. */
  checked: CheckedDocument | undefined
  /** Why it could not: the document is of a form that this page does not know yet. */
  isNewer: boolean
  /** By this device's clock, ISO 8601. */
  answeredAt: string
}

export interface Refused {
  kind: 'refused'
  /** `altered`: what was sent is not what was approved. `revoked` and `expired`: the proof is known. `unknown`: nobody can tell. */
  reason: 'not-found' | 'incomplete' | 'altered' | 'revoked' | 'expired' | 'unknown'
  title: string
  text?: string
  /** ISO 8601 in UTC, of a proof that is known. */
  endedAt?: string
  /** Why it was revoked, in words. */
  revocation?: string
}

/** Asks for a certified PDF; whatever comes back, it is something to show. */
export async function retrieveProof({ proofId, username }: ProofFields): Promise<Verified | Refused> {
  if (!proofId.trim() || !username.trim()) return sayIncomplete()
  try {
    const pdf = await callFile(retrieveCertifiedPdf, { query: { proofid: proofId, username } })
    // After it, not beside it: a miss shall count once.
    const details = await readDetails({ proofId, username })
    const looked = await checkHere(pdf)
    const isNewer = looked?.report.verdict === 'newer'
    const checked = isNewer ? undefined : looked
    if (checked && isRefuted(checked, readProofId(proofId)))
      return { kind: 'refused', reason: 'altered', title: m.verify_file_altered(), text: m.verify_file_altered_text() }
    return {
      kind: 'verified',
      proofId: details?.proofid ?? readProofId(proofId) ?? proofId.trim(),
      username: checked?.report.fields?.sub ?? details?.username ?? username.trim(),
      pdf,
      details,
      checked,
      isNewer,
      answeredAt: new Date().toISOString(),
    }
  } catch (error) {
    return explainRefusal(error)
  }
}

/** @throws ApiError where the proof has ended just now, or its record is not as it was issued; any other failure takes nothing from the PDF that is here. */
async function readDetails({ proofId, username }: ProofFields): Promise<ProofDetails | undefined> {
  try {
    return await call(describeProof, { body: { proofid: proofId, username } })
  } catch (error) {
    if (error instanceof ApiError && (error.status === 410 || error.body.code === 'proof_altered')) throw error
    console.error('What the certificate says could not be loaded', error)
    return undefined
  }
}

/** Undefined where this browser cannot check, which says nothing about the document. */
async function checkHere(pdf: Blob): Promise<CheckedDocument | undefined> {
  try {
    const checked = await checkDocument(pdf)
    return checked.report.verdict === 'unavailable' ? undefined : checked
  } catch (error) {
    console.error('The document could not be checked here', error)
    return undefined
  }
}

/** The file is not what was approved under this Proof ID. One from before there was a log is only sealed. */
function isRefuted({ report: { verdict, fields, steps } }: CheckedDocument, proofId: string | undefined): boolean {
  if (verdict === 'not_found') return !isUnlogged(steps)
  // What is logged names its Proof ID: one that hides it may be any other.
  return verdict === 'altered' || (fields !== null && fields.pid !== proofId)
}

/** The words of specification section 8, by status. */
function explainRefusal(error: unknown): Refused {
  const kind = 'refused'
  if (error instanceof NetworkError)
    return { kind, reason: 'unknown', title: m.server_silent_title(), text: m.idm_error_text() }
  if (error instanceof ApiError && error.status === 410) return explainEnd(error)
  if (error instanceof ApiError && error.status >= 500) return explainFault(error)
  switch (error instanceof ApiError ? error.status : undefined) {
    case 404:
      return { kind, reason: 'not-found', title: m.verify_not_found_title(), text: m.proof_not_found() }
    case 400:
      return sayIncomplete()
    case 429:
      return explainLimit(error)
    default:
      return { kind, reason: 'unknown', title: m.verify_failed() }
  }
}

function sayIncomplete(): Refused {
  return {
    kind: 'refused',
    reason: 'incomplete',
    title: m.verify_incomplete_title(),
    text: m.proof_fields_missing(),
  }
}

function explainLimit(error: unknown): Refused {
  const wait = sayWait(error)
  return { kind: 'refused', reason: 'unknown', title: m.rate_limited(), ...(wait !== undefined && { text: wait }) }
}

/** What asking again does not mend is told in the server's words, as it is for the operator to know. */
function explainFault(error: ApiError): Refused {
  const kind = 'refused'
  switch (error.body.code) {
    case 'proof_altered':
    case 'file_altered':
      return { kind, reason: 'altered', title: m.verify_kept_altered(), text: wordsOf(error, m.verify_failed()) }
    case 'file_missing':
    case 'storage_unavailable':
    case 'log_behind':
      return { kind, reason: 'unknown', title: m.verify_not_shown(), text: wordsOf(error, m.verify_failed()) }
    default:
      return { kind, reason: 'unknown', title: m.verify_failed() }
  }
}

/** A verdict of its own for what was revoked, and for what has expired. */
function explainEnd({ body: { code, revoked_at: revokedAt, expire_time: expireTime, reason } }: ApiError): Refused {
  const kind = 'refused'
  if (code !== 'proof_revoked') {
    const refused = { kind, reason: 'expired', title: m.verify_expired_title(), text: m.proof_expired() } as const
    return typeof expireTime === 'string' ? { ...refused, endedAt: expireTime } : refused
  }
  const revocation = RevocationReason.options.find((option) => option === reason)
  return {
    kind,
    reason: 'revoked',
    title: m.verify_revoked_title(),
    text: m.verify_revoked_text(),
    ...(typeof revokedAt === 'string' && { endedAt: revokedAt }),
    ...(revocation && { revocation: sayReason(revocation) }),
  }
}
