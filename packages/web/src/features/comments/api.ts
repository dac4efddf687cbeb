import { createComment, deleteComment, listComments, type Comment } from '@proofdesk/contract/comments'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { keepInList } from '../../lib/keep-answer.ts'
import { QUERY_KEYS } from '../../lib/query-keys.ts'
import { useDraftMutation } from '../../lib/use-draft-mutation.ts'

/** All comments on one collection, oldest first. */
export function useComments(collectionId: number) {
  return useQuery({
    queryKey: keyOf(collectionId),
    queryFn: async ({ signal }) =>
      (await call(listComments, { query: { collection: collectionId } }, { signal })).results,
  })
}

export function draftOfComment(collectionId: number): string {
  return `comment:${collectionId}`
}

export function useCreateComment(collectionId: number) {
  const queryClient = useQueryClient()
  return useDraftMutation({
    draft: draftOfComment(collectionId),
    mutationFn: (text, key) => call(createComment, { body: { text, collection: collectionId } }, { key }),
    onSettled: (created) =>
      keepInList<Comment>(
        queryClient,
        keyOf(collectionId),
        created && ((known) => [...known.filter(({ id }) => id !== created.id), created]),
      ),
  })
}

export function useDeleteComment(collectionId: number) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call(deleteComment, { params: { id }, query: { collection: collectionId } }),
    onSettled: (_answer, error, id) =>
      keepInList<Comment>(
        queryClient,
        keyOf(collectionId),
        error ? undefined : (known) => known.filter((one) => one.id !== id),
      ),
  })
}

function keyOf(collectionId: number) {
  return [...QUERY_KEYS.comments, collectionId]
}
