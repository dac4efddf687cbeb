import {
  countCollections,
  createCollection,
  deleteCollection,
  listCollections,
  renameCollection,
  sendCollectionByPost,
  showCollection,
} from '@proofdesk/contract/collections'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { forgetDraft } from '../../lib/drafts.ts'
import { QUERY_KEYS } from '../../lib/query-keys.ts'
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
    queryFn: ({ signal }) => call(listCollections, { query }, { signal }),
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

/** One collection; watched closely while its approval is being sealed. */
export function useCollection(id: number) {
  return useQuery({
    queryKey: [...KEY, 'one', id],
    queryFn: ({ signal }) => call(showCollection, { params: { id } }, { signal }),
    refetchInterval: ({ state }) => (state.data?.sealing ? SEALING_POLL_MS : false),
  })
}

export const DRAFT_OF_COLLECTION = 'collection-title'

export function useCreateCollection() {
  const reload = useReloadCollections()
  const onSuccess = () => {
    forgetDraft(DRAFT_OF_COLLECTION)
    return reload()
  }
  return useSingleMutation({ mutationFn: (title: string) => call(createCollection, { body: { title } }), onSuccess })
}

export function useRenameCollection() {
  const onSettled = useReloadCollections()
  return useSingleMutation({
    mutationFn: ({ id, title }: { id: number; title: string }) =>
      call(renameCollection, { params: { id }, body: { title } }),
    onSettled,
  })
}

export function useDeleteCollection() {
  const onSettled = useReloadCollections()
  return useMutation({ mutationFn: (id: number) => call(deleteCollection, { params: { id } }), onSettled })
}

export function useSendCollection() {
  const onSettled = useReloadCollections()
  return useMutation({ mutationFn: (id: number) => call(sendCollectionByPost, { params: { id } }), onSettled })
}

/** After a change, and after a refusal: then what is shown here was out of date. */
function useReloadCollections(): () => Promise<void> {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: KEY })
}
