import type { PrintedField } from '@proofdesk/proof/paper/compare-printed'
import type { PaperJudgement } from './judge-paper.ts'
import { WORDS } from './words.ts'

/** A field as it was typed from the page, and whether the code says the same; null where it holds only the beginning, which fits. */
export interface ComparedText {
  field: PrintedField
  printed: string
  isSame: boolean | null
}

/**
 * What a printed code said and what of the page differed, as a small JSON file to keep. Nobody signs the file; the code in it
 * is signed, and whoever has the policy can check it again.
 * @param checkedAt Milliseconds since 1970 UTC, by this device's clock.
 */
export function formatPaperReceipt(
  judgement: PaperJudgement,
  compared: readonly ComparedText[],
  checkedAt: number,
): string {
  const { text, at, verdict, code, claims, policy } = judgement
  const receipt = {
    type: 'proofdesk-paper-receipt',
    v: 1,
    signed: false,
    note: WORDS.receiptNote,
    checkedAt: new Date(checkedAt).toISOString(),
    judgedFor: new Date(at).toISOString(),
    paper: text,
    verdict,
    code,
    claims,
    compared,
    policy: { fingerprint: policy.fingerprint, organisation: policy.organisation },
  }
  return `${JSON.stringify(receipt, null, 2)}\n`
}
