import type { ApprovalStep, Deps } from '../deps.ts'

type Tell = NonNullable<Deps['onApprovalStep']>

/**
 * What a test does once a decision is claimed is over before the claim is sealed. The outbox is rung only then, but it also
 * looks by itself every few seconds, and would come between by chance. Tests are told of all steps but that one.
 */
export function sealAfterClaim(tell: Tell): Tell {
  const claims = new Set<Promise<void>>()
  const run = async (step: ApprovalStep): Promise<void> => tell(step)
  return async (step) => {
    if (step === 'taken-up') return void (await Promise.allSettled(claims))
    const told = run(step)
    if (step !== 'claimed') return told
    claims.add(told)
    try {
      await told
    } finally {
      claims.delete(told)
    }
  }
}
