import { isReviewer, type Viewer } from '@proofdesk/contract/permissions'
import type { ReviewQueue, WaitingCollection } from '@proofdesk/contract/reviews'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { findCollection } from '../collections/queries.ts'
import { countQueue, findWaiting } from './queries.ts'

/**
 * What waits for the viewer's decision, and what stands beside one collection. The oldest comes first, or it would wait for as long as
 * newer ones come in; lists are the other way round. What somebody has approved already, or is the viewer's own, waits for nobody here.
 * @param collectionId Keeps its place once it is decided on; without it, or when it is gone, `next` is the first.
 * @throws AppError `forbidden` for everyone but reviewers.
 */
export async function showReviewQueue(
  { reads, now }: Deps,
  viewer: Viewer,
  collectionId: number | undefined,
): Promise<ReviewQueue> {
  if (!isReviewer(viewer)) throw new AppError('forbidden')
  const at = now()
  const point = collectionId === undefined ? undefined : await findCollection(reads, collectionId, at)
  const { waiting, before, isThere } = await countQueue(reads, viewer.id, point, at)
  const findBeside = async (side: 'after' | 'before'): Promise<WaitingCollection | null> => {
    const beside = await findWaiting(reads, viewer.id, side, point, at)
    // Round the end; a collection is not its own neighbour.
    const found = beside ?? (await findWaiting(reads, viewer.id, side, undefined, at))
    return found && found.id !== point?.id ? found : null
  }
  return {
    waiting,
    place: isThere ? before + 1 : null,
    previous: point ? await findBeside('before') : null,
    next: await findBeside('after'),
  }
}
