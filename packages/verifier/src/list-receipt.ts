import type { InstancePolicy } from '@proofdesk/proof/instance-policy'
import type { Receipt } from '@proofdesk/proof/receipt'
import { formatTime, WORDS } from './words.ts'

/** What a receipt says, for people: it holds for the document whose SHA-256 it names, as of its time. */
export function listReceipt(receipt: Receipt, { fingerprint }: InstancePolicy): [name: string, value: string][] {
  const { proofId, at, sha256, size, expiresAt, revokedAt, head } = receipt
  return [
    ['Proof ID', proofId],
    [WORDS.checkedAt, formatTime(at)],
    [WORDS.fileSha256, `${sha256} (${size} bytes)`],
    [WORDS.receiptExpires, expiresAt === null ? '–' : formatTime(expiresAt)],
    ...(revokedAt === null ? [] : [[WORDS.receiptRevoked, formatTime(revokedAt)] as [string, string]]),
    [WORDS.receiptHead, `${head.origin}, ${head.size}, ${head.root}`],
    [WORDS.policyFingerprint, fingerprint],
  ]
}
