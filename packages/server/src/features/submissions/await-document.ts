import type { Deps } from '../../deps.ts'
import { announce, waitFor } from '../../live/wait-for.ts'
import { findCollection } from '../collections/queries.ts'

const nameOf = (collectionId: number): string => `document of collection ${collectionId}`

export function announceDocument(collectionId: number): void {
  announce(nameOf(collectionId))
}

/**
 * Waits until the review document of what waits is there or cannot be made, or nothing waits any more.
 * @param timeoutMs At most this long.
 */
export async function awaitDocument(
  { reads, now }: Pick<Deps, 'reads' | 'now'>,
  collectionId: number,
  timeoutMs: number,
): Promise<void> {
  const look = () => findCollection(reads, collectionId, now())
  const isDone = (seen: Awaited<ReturnType<typeof look>>) => !seen?.is_locked || seen.document_state !== 'preparing'
  await waitFor(nameOf(collectionId), look, isDone, timeoutMs)
}
