import type { Growth } from './check-growth.ts'
import type { Judgement } from './judge-document.ts'
import { WORDS } from './words.ts'

/**
 * What was checked and what came of it, as a small JSON file to keep. Nobody signs it: it is a note to oneself.
 * @param checkedAt Milliseconds since 1970 UTC, by this device's clock.
 */
export function formatReceipt(judgement: Judgement, checkedAt: number, growth?: Growth): string {
  const { file, at, verdict, remarks, steps, fields, policy, head } = judgement
  const receipt = {
    type: 'proofdesk-receipt',
    v: 1,
    signed: false,
    note: WORDS.receiptNote,
    checkedAt: new Date(checkedAt).toISOString(),
    judgedFor: new Date(at).toISOString(),
    file,
    proofId: fields?.pid ?? null,
    verdict,
    remarks,
    steps: steps.map(({ name, state, code = null }) => ({ name, state, code })),
    policy,
    head,
    ...(growth && { newestHead: growth }),
  }
  return `${JSON.stringify(receipt, null, 2)}\n`
}
