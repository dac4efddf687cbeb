import type { ProofErrorCode } from '@proofdesk/proof/errors'
import type { InstancePolicy } from '@proofdesk/proof/instance-policy'
import type { Receipt } from '@proofdesk/proof/receipt'
import { findReceipt, judgeReceipt, RECEIPT_FILE_MAX_BYTES } from '@proofdesk/proof/receipt-file'
import { readPolicy } from './check-document.ts'

/** What became of a signed receipt that was judged on this device. */
export interface JudgedReceipt {
  /** Why it does not hold, or was not judged; else what it says. */
  outcome: Receipt | ProofErrorCode
  policy: InstancePolicy
}

/**
 * Judges a file that says of itself to be a signed receipt.
 * @returns undefined where it says no such thing.
 * @throws NetworkError when the server does not say whose keys to check by, or what reading the file throws.
 */
export async function judgeReceiptFile(file: File): Promise<JudgedReceipt | undefined> {
  if (file.size > RECEIPT_FILE_MAX_BYTES) return undefined
  const note = findReceipt(new Uint8Array(await file.arrayBuffer()))
  if (note === undefined) return undefined
  const policy = await readPolicy()
  return { policy, outcome: await judgeReceipt(note, policy) }
}
