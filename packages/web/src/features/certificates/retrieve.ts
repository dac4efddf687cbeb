import { retrieveCertifiedPdf } from '@proofdesk/contract/certificates'
import { readProofId } from '@proofdesk/proof/proof-id'
import { ApiError, NetworkError, wordsOf } from '../../lib/api-error.ts'
import { callFile } from '../../lib/call.ts'
import { m } from '../../paraglide/messages.js'
import type { ProofFields } from './verify-form.tsx'

export interface Verified {
  kind: 'verified'
  /** As it is printed, however it was typed. */
  proofId: string
  username: string
  pdf: Blob
}

export interface Refused {
  kind: 'refused'
  /** `ended`: the proof is known, and expired or revoked. `unknown`: nobody can tell. */
  reason: 'not-found' | 'incomplete' | 'ended' | 'unknown'
  title: string
  text?: string
}

/** Asks for a certified PDF; whatever comes back, it is something to show. */
export async function retrieveProof({ proofId, username }: ProofFields): Promise<Verified | Refused> {
  try {
    const pdf = await callFile(retrieveCertifiedPdf, { query: { proofid: proofId, username } })
    return { kind: 'verified', proofId: readProofId(proofId) ?? proofId.trim(), username: username.trim(), pdf }
  } catch (error) {
    return explainRefusal(error)
  }
}

/** The words of specification section 8, by status. */
function explainRefusal(error: unknown): Refused {
  const kind = 'refused'
  if (error instanceof NetworkError)
    return { kind, reason: 'unknown', title: m.server_silent_title(), text: m.idm_error_text() }
  switch (error instanceof ApiError ? error.status : undefined) {
    case 404:
      return { kind, reason: 'not-found', title: m.verify_not_found_title(), text: m.proof_not_found() }
    case 400:
      return { kind, reason: 'incomplete', title: m.verify_incomplete_title(), text: m.proof_fields_missing() }
    case 410:
      return { kind, reason: 'ended', title: m.verify_ended_title(), text: wordsOf(error, m.proof_expired()) }
    case 429:
      return { kind, reason: 'unknown', title: m.rate_limited() }
    default:
      return { kind, reason: 'unknown', title: m.verify_failed() }
  }
}
