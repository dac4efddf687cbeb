import type { DocumentVerdict } from '@proofdesk/proof/document-verdict'

/** How the command ends for each verdict. 1 is left to programs that crash. A number never changes its meaning. */
export const EXIT_CODES: Record<DocumentVerdict, number> = {
  valid: 0,
  unavailable: 3,
  not_found: 4,
  altered: 5,
  revoked: 6,
  expired: 7,
  newer: 8,
  not_yet: 9,
}

/** Asked in a way that cannot be answered: wrong words, a file that cannot be read, a policy that is none. */
export const EXIT_USAGE = 2
