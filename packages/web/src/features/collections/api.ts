import {
  countCollections,
  createCollection,
  deleteCollection,
  listCollections,
  renameCollection,
  sendCollectionByPost,
  showCollection,
  type Collection,
} from '@proofdesk/contract/collections'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { keepAnswer } from '../../lib/keep-answer.ts'
import { QUERY_KEYS } from '../../lib/query-keys.ts'
import { markSaidNow } from '../../lib/said-at.ts'
import { useDraftMutation } from '../../lib/use-draft-mutation.ts'
import { useSingleMutation } from '../../lib/use-single-mutation.ts'
import { toListQuery, type ListState } from './list-state.ts'

const KEY = QUERY_KEYS.collections
/** How often to look again while an approval is being sealed. */
const SEALING_POLL_MS = 3000

/** A page of the list; the one before it stays until the new one has come. */
export function useCollections(state: ListState, enabled: boolean) {
  const query = toListQuery(state)
  return useQuery({
    queryKey: [...KEY, 'list', query],
    queryFn: async ({ signal }) => markSaidNow(await call(listCollections, { query }, { signal })),
    placeholderData: keepPreviousData,
    enabled,
  })
}

/** How many each filter tile holds. */
export function useCollectionCounts(enabled: boolean) {
  return useQuery({
    queryKey: [...KEY, 'counts'],
    queryFn: ({ signal }) => call(countCollections, {}, { signal }),
    enabled,
  })
}

/** How often to look again while a review document is prepared, where no event tells of it. */
const PREPARING_POLL_MS = 1500

/** One collection; watched closely while its approval is being sealed, or what waits is prepared. */
export function useCollection(id: number) {
  return useQuery({
    queryKey: [...KEY, 'one', id],
    queryFn: ({ signal }) => call(showCollection, { params: { id } }, { signal }),
    refetchInterval: ({ state: { data } }) => {
      if (data?.sealing) return SEALING_POLL_MS
      return data?.submission?.document === 'preparing' && PREPARING_POLL_MS
    },
  })
}

export const DRAFT_OF_COLLECTION = 'collection-title'

export function useCreateCollection() {
  const onSettled = useKeepCollection()
  return useDraftMutation({
    draft: DRAFT_OF_COLLECTION,
    mutationFn: (title) => call(createCollection, { body: { title } }),
    onSettled,
  })
}

export function useRenameCollection() {
  const onSettled = useKeepCollection()
  return useSingleMutation({
    mutationFn: ({ id, title }: { id: number; title: string }) =>
      call(renameCollection, { params: { id }, body: { title } }),
    onSettled,
  })
}

export function useDeleteCollection() {
  const queryClient = useQueryClient()
  const onSettled = () => queryClient.invalidateQueries({ queryKey: KEY })
  return useMutation({ mutationFn: (id: number) => call(deleteCollection, { params: { id } }), onSettled })
}

export function useSendCollection() {
  const onSettled = useKeepCollection()
  return useMutation({ mutationFn: (id: number) => call(sendCollectionByPost, { params: { id } }), onSettled })
}

/** After a change its answer is what is known; after a refusal what is shown here was out of date. */
function useKeepCollection(): (answer: Collection | undefined) => Promise<void> {
  const queryClient = useQueryClient()
  return (answer) =>
    answer
      ? keepAnswer(queryClient, [...KEY, 'one', answer.id], answer)
      : queryClient.invalidateQueries({ queryKey: KEY })
}
