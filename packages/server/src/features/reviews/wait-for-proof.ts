import type { Deps } from '../../deps.ts'
import { announce, waitFor } from '../../live/wait-for.ts'
import { findProofState, type ProofRecord } from '../certificates/queries.ts'

type State = ProofRecord['state']

const nameOf = (proofRowId: number): string => `proof ${proofRowId}`

export function announceProof(proofRowId: number): void {
  announce(nameOf(proofRowId))
}

/**
 * Waits until a proof that was claimed this very moment is published or withdrawn.
 * @param timeoutMs At most this long.
 * @returns its state by then.
 */
export async function waitForProof(
  { reads }: Pick<Deps, 'reads'>,
  proofRowId: number,
  timeoutMs: number,
): Promise<State> {
  const look = async () => (await findProofState(reads, proofRowId)) ?? 'withdrawn'
  return waitFor<State>(nameOf(proofRowId), look, (state) => state !== 'claimed', timeoutMs, 'claimed')
}
