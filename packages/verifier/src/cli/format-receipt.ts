import type { InstancePolicy } from '@proofdesk/proof/instance-policy'
import type { Receipt } from '@proofdesk/proof/receipt'
import { formatTime, WORDS } from '../words.ts'
import { tame } from './format-judgement.ts'

/** What a receipt says, for people: it holds for the document whose SHA-256 it names, as of its time. */
export function formatReceiptForPeople(receipt: Receipt, { organisation, fingerprint }: InstancePolicy): string {
  const { proofId, verdict, at, sha256, size, expiresAt, revokedAt, head } = receipt
  const time = (seconds: number | null) => (seconds === null ? '–' : formatTime(seconds))
  return [
    `${WORDS.receiptSigned} ${organisation}: ${verdict}`,
    `  Proof ID: ${proofId}`,
    `  ${WORDS.checkedAt}: ${formatTime(at)}`,
    `  SHA-256: ${sha256} (${size} bytes)`,
    `  ${WORDS.receiptExpires}: ${time(expiresAt)}`,
    ...(revokedAt === null ? [] : [`  ${WORDS.receiptRevoked}: ${formatTime(revokedAt)}`]),
    `  ${WORDS.receiptHead}: ${head.origin}, ${head.size}, ${head.root}`,
    `  ${WORDS.policyFingerprint}: ${fingerprint}`,
  ]
    .map(tame)
    .join('\n')
}
