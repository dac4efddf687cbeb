import { createComment, deleteComment, listComments } from '@proofdesk/contract/comments'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { forgetDraft } from '../../lib/drafts.ts'
import { QUERY_KEYS } from '../../lib/query-keys.ts'
import { useSingleMutation } from '../../lib/use-single-mutation.ts'

/** All comments on one collection, oldest first. */
export function useComments(collectionId: number) {
  return useQuery({
    queryKey: [...QUERY_KEYS.comments, collectionId],
    queryFn: async ({ signal }) =>
      (await call(listComments, { query: { collection: collectionId } }, { signal })).results,
  })
}

export function draftOfComment(collectionId: number): string {
  return `comment:${collectionId}`
}

export function useCreateComment(collectionId: number) {
  const reload = useReloadComments(collectionId)
  const onSuccess = () => {
    forgetDraft(draftOfComment(collectionId))
    return reload()
  }
  return useSingleMutation({
    mutationFn: (text: string) => call(createComment, { body: { text, collection: collectionId } }),
    onSuccess,
  })
}

export function useDeleteComment(collectionId: number) {
  const onSettled = useReloadComments(collectionId)
  return useMutation({
    mutationFn: (id: number) => call(deleteComment, { params: { id }, query: { collection: collectionId } }),
    onSettled,
  })
}

function useReloadComments(collectionId: number): () => Promise<void> {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: [...QUERY_KEYS.comments, collectionId] })
}
