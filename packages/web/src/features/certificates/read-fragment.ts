import { readProofLink } from '@proofdesk/contract/proof-link'
import { findPaperCode, readPaperCode } from '@proofdesk/proof/paper/paper-code'

/** The fields that an address brings: of a printed code, whoever signed it, or of a link. Empty where it brings none. */
export function readFragment(fragment: string): { proofId: string; username: string } {
  const code = findPaperCode(fragment)
  if (code === undefined) return readProofLink(fragment)
  try {
    const { proofId, username } = readPaperCode(code).claims
    return { proofId, username }
  } catch {
    // what is wrong with it is told where it is judged
    return { proofId: '', username: '' }
  }
}
