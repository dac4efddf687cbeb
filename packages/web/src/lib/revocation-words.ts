import type { RevocationReason } from '@proofdesk/contract/proof-verdict'
import { m } from '../paraglide/messages.js'

export const REVOCATION_WORDS: Record<RevocationReason, () => string> = {
  issued_in_error: m.revocation_issued_in_error,
  superseded: m.revocation_superseded,
  content_false: m.revocation_content_false,
  holder_request: m.revocation_holder_request,
  key_compromised: m.revocation_key_compromised,
  other: m.revocation_other,
}

/** The public reason in words. */
export function sayReason(reason: RevocationReason): string {
  return REVOCATION_WORDS[reason]()
}
