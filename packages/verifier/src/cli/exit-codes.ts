import type { DocumentVerdict, Remark } from '@proofdesk/proof/document-verdict'
import type { ProofErrorCode } from '@proofdesk/proof/errors'
import type { LogVerdict } from '@proofdesk/proof/log/whole-log/log-findings'

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

/** Valid by its own bytes, where nobody asked for less: whether it was revoked is not known, its time does not fit, or not all of it is shown. */
const EXIT_DOUBT = 10

const DOUBTS: readonly Remark[] = ['revocation_unknown', 'time_outside', 'fields_hidden']

/** @param isStrict Whether what was not found out counts, too. */
export function findExitCode(verdict: DocumentVerdict, remarks: readonly Remark[], isStrict: boolean): number {
  const isDoubtful = isStrict && verdict === 'valid' && remarks.some((remark) => DOUBTS.includes(remark))
  return isDoubtful ? EXIT_DOUBT : EXIT_CODES[verdict]
}

/** Why a receipt was not judged, where that is no fault of the receipt. */
const UNJUDGED: Partial<Record<ProofErrorCode, DocumentVerdict>> = {
  newer: 'newer',
  log_trust: 'not_found',
  unsupported: 'unavailable',
}

/** Of a receipt that does not hold, or was not judged. */
export function findUnjudgedCode(code: ProofErrorCode): number {
  return EXIT_CODES[UNJUDGED[code] ?? 'altered']
}

const LOG_VERDICTS: Record<LogVerdict, DocumentVerdict> = {
  consistent: 'valid',
  contradicted: 'altered',
  newer: 'newer',
}

/**
 * Of a whole log that was read.
 * @param hasRemarks Whether something ought not to be that convicts nobody.
 * @param isStrict Whether that counts, too.
 */
export function findLogCode(verdict: LogVerdict, hasRemarks: boolean, isStrict: boolean): number {
  return isStrict && hasRemarks && verdict === 'consistent' ? EXIT_DOUBT : EXIT_CODES[LOG_VERDICTS[verdict]]
}

/** Why a log was not read. Nothing of it convicts: an address may lead elsewhere, and a wrong signature is nobody's. */
const UNREAD: Partial<Record<ProofErrorCode, DocumentVerdict>> = {
  log_trust: 'not_found',
  log_signature: 'not_found',
  newer: 'newer',
}

/** Of a log whose head cannot be used. */
export function findUnreadCode(code: ProofErrorCode): number {
  return EXIT_CODES[UNREAD[code] ?? 'unavailable']
}

/** Asked in a way that cannot be answered: wrong words, a file that cannot be read, a policy that is none. */
export const EXIT_USAGE = 2
