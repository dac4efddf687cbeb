import type { Deps } from '../../deps.ts'
import { announce, waitFor } from '../../live/wait-for.ts'
import { findProofState } from '../certificates/queries.ts'

const nameOf = (proofRowId: number): string => `proof ${proofRowId}`

export function announceProof(proofRowId: number): void {
  announce(nameOf(proofRowId))
}

/**
 * Waits until a claimed proof is published or withdrawn.
 * @param timeoutMs At most this long.
 * @returns its state by then.
 */
export async function waitForProof(
  { reads }: Pick<Deps, 'reads'>,
  proofRowId: number,
  timeoutMs: number,
): Promise<'claimed' | 'published' | 'withdrawn'> {
  const look = async () => (await findProofState(reads, proofRowId)) ?? 'withdrawn'
  return waitFor(nameOf(proofRowId), look, (state) => state !== 'claimed', timeoutMs)
}
