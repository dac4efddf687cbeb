import type { InstancePolicy } from '@proofdesk/proof/instance-policy'
import { findPaperCode } from '@proofdesk/proof/paper/find-paper-code'
import { verifyPaper, type PaperReport } from '@proofdesk/proof/paper/verify-paper'

/** All that a printed code says by itself; plain data, the same for the page, the command and receipts. */
export interface PaperJudgement extends PaperReport {
  /** The code, without what stood around it; null where there is none. */
  text: string | null
  /** Milliseconds since 1970 UTC for which it was judged. */
  at: number
  policy: { fingerprint: string; organisation: string; hasPaperKeys: boolean }
}

/** Judges the code of a printed certificate. Whatever the text is, it answers. */
export async function judgePaper(
  text: string,
  { policy, at, isAsked = false }: { policy: InstancePolicy; at: number; isAsked?: boolean },
): Promise<PaperJudgement> {
  const report = await verifyPaper(text, { policy, now: at, isAsked })
  const { fingerprint, organisation, paperKeys } = policy
  return {
    ...report,
    text: findPaperCode(text) ?? null,
    at,
    policy: { fingerprint, organisation, hasPaperKeys: paperKeys.length > 0 },
  }
}
