import type { InstancePolicy } from '@proofdesk/proof/instance-policy'
import type { Receipt } from '@proofdesk/proof/receipt'
import { listReceipt } from '../list-receipt.ts'
import { WORDS } from '../words.ts'
import { tame } from './format-judgement.ts'

/** What a receipt says, line by line. */
export function formatReceiptForPeople(receipt: Receipt, policy: InstancePolicy): string {
  const facts = listReceipt(receipt, policy).map(([name, value]) => `  ${name}: ${value}`)
  return [`${WORDS.receiptSigned} ${policy.organisation}: ${receipt.verdict}`, ...facts].map(tame).join('\n')
}
