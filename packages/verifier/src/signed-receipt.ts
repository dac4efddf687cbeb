import { ProofError, type ProofErrorCode } from '@proofdesk/proof/errors'
import type { InstancePolicy } from '@proofdesk/proof/instance-policy'
import { openReceipt, type Receipt } from '@proofdesk/proof/receipt'
import { formatTime, WORDS } from './words.ts'

/** Far more than the longest takes, in bytes. */
const MOST_BYTES = 16_384

/** @returns the text of a file that says of itself to be a signed receipt; undefined of any other */
export function readSignedReceipt(bytes: Uint8Array): string | undefined {
  if (bytes.length > MOST_BYTES) return undefined
  const text = new TextDecoder().decode(bytes)
  return /^Proofdesk receipt v\d/.test(text) ? text : undefined
}

/** @returns what it says, or why it does not hold */
export async function judgeSignedReceipt(note: string, policy: InstancePolicy): Promise<Receipt | ProofErrorCode> {
  try {
    // What writes one into a file often ends it with a line of its own.
    return await openReceipt(`${note.trimEnd()}\n`, policy)
  } catch (error) {
    if (!(error instanceof ProofError)) throw error
    return error.code
  }
}

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
