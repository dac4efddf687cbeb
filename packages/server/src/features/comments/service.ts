import type { Comment } from '@proofdesk/contract/comments'
import type { PageOf } from '@proofdesk/contract/paging'
import { whyNotComment, whyNotDeleteComment, type Viewer } from '@proofdesk/contract/permissions'
import type { Db } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { AppError, refuse } from '../../errors.ts'
import { recordEvents } from '../../events/record-events.ts'
import { awaitTurn } from '../../http/one-a-turn.ts'
import { toWholeList } from '../../http/page-links.ts'
import { makeOnce, nameUser } from '../../once/make-once.ts'
import { giveCommentRoomBack, takeCommentRoom } from '../collections/room/queries.ts'
import { findVisibleCollection, mustSeeCollection, recordCollectionView } from '../collections/service.ts'
import { commentEvents } from './events.ts'
import * as queries from './queries.ts'

export async function listComments(
  deps: Deps,
  viewer: Viewer,
  query: { collection: number },
): Promise<PageOf<Comment>> {
  const collection = await mustSeeCollection(deps, viewer, query.collection)
  await recordCollectionView(deps, viewer, collection)
  await awaitTurn()
  const records = await queries.listComments(deps.reads, collection.id)
  return toWholeList(records.map((record) => toComment(record, viewer)))
}

/**
 * Adds a comment to a collection one sees, whatever its state.
 * @param key Under which the same call adds one, however often it comes.
 * @throws AppError `comments_full` beyond 500, also when two come in at once; as `makeOnce`.
 */
export async function createComment(
  deps: Deps,
  viewer: Viewer,
  input: { text: string; collection: number },
  key?: string,
): Promise<Comment> {
  const collection = await mustSeeCollection(deps, viewer, input.collection)
  refuse(whyNotComment(viewer, collection))
  const call = { kind: 'comment', owner: nameUser(viewer.id), key, sent: input } as const
  const added = await makeOnce(deps, call, {
    make: async (transaction, emit) => {
      if (!(await takeCommentRoom(transaction, collection.id))) {
        // It may have been deleted meanwhile, which is another matter.
        await mustSeeCollection({ ...deps, reads: transaction }, viewer, collection.id)
        throw new AppError('comments_full')
      }
      const comment = await queries.insertComment(transaction, {
        collectionId: collection.id,
        by: viewer,
        text: input.text,
        now: deps.now(),
      })
      await emit(commentEvents.comment_added(viewer.id, collection, comment.id))
      return comment
    },
    find: (id) => mustFindComment(deps, id),
  })
  return toComment(added, viewer)
}

/**
 * Deletes one's own comment.
 * @throws AppError `comment_not_found` when it is missing or on a collection one does not see, `forbidden` when it is
 *   somebody else's.
 */
export async function deleteComment(
  deps: Deps,
  viewer: Viewer,
  id: number,
  query: { collection?: number | undefined },
): Promise<void> {
  const comment = await mustFindComment(deps, id)
  const isElsewhere = query.collection !== undefined && query.collection !== comment.collection_id
  const collection = isElsewhere ? undefined : await findVisibleCollection(deps, viewer, comment.collection_id)
  if (!collection) throw new AppError('comment_not_found')
  refuse(whyNotDeleteComment(viewer, comment))
  await recordEvents(deps, async (transaction, emit) => {
    // The collection's row first, as whoever deletes the collection takes them.
    await giveCommentRoomBack(transaction, comment.collection_id)
    if (!(await queries.deleteComment(transaction, id, viewer.id))) throw new AppError('comment_not_found')
    await emit(commentEvents.comment_deleted(viewer.id, collection, id))
  })
}

/** Deletes whatever somebody who is erased wrote, in the transaction that erases them. */
export async function forgetComments(transaction: Db, userId: number): Promise<void> {
  // They are shut out already, so that none is added behind these.
  for (const collection of await queries.listCommented(transaction, userId))
    await giveCommentRoomBack(transaction, collection)
  await queries.deleteCommentsOf(transaction, userId)
}

function toComment(record: queries.CommentRecord, viewer: Viewer): Comment {
  return { ...record, may: { delete: !whyNotDeleteComment(viewer, record) } }
}

async function mustFindComment({ reads }: Deps, id: number): Promise<queries.CommentRecord> {
  const comment = await queries.findComment(reads, id)
  if (!comment) throw new AppError('comment_not_found')
  return comment
}
