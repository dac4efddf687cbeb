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
import { isRefusal } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { wordsOnTheirOwn } from '../../lib/error-words.ts'
import { isolate } from '../../lib/isolate.ts'
import { keepAnswer } from '../../lib/keep-answer.ts'
import { QUERY_KEYS } from '../../lib/query-keys.ts'
import { markSaidNow } from '../../lib/said-at.ts'
import { useDraftMutation } from '../../lib/use-draft-mutation.ts'
import { useSingleMutation } from '../../lib/use-single-mutation.ts'
import { m } from '../../paraglide/messages.js'
import { useOutcomeOnceLeft } from '../../ui/use-outcome-once-left.ts'
import { useToastOnceLeft } from '../../ui/use-toast-once-left.ts'
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

/** One collection; watched closely while its approval is being sealed, or what waits is prepared. @param id 0 for none */
export function useCollection(id: number) {
  return useQuery({
    queryKey: [...KEY, 'one', id],
    enabled: id > 0,
    queryFn: ({ signal }) => call(showCollection, { params: { id } }, { signal }),
    refetchInterval: ({ state: { data } }) => {
      if (data?.sealing) return SEALING_POLL_MS
      return data?.submission?.document === 'preparing' && PREPARING_POLL_MS
    },
  })
}

export const DRAFT_OF_COLLECTION = 'collection-title'

export function useCreateCollection() {
  const tellOnceLeft = useToastOnceLeft()
  const keep = useKeepCollection()
  return useDraftMutation({
    draft: DRAFT_OF_COLLECTION,
    mutationFn: (title, key) => call(createCollection, { body: { title } }, { key }),
    onSettled: async (created) => {
      await keep(created)
      // A failure stands in a dialog, wherever one is by then.
      if (created) tellOnceLeft(m.collection_created_of({ title: isolate(created.title) }))
    },
  })
}

export function useRenameCollection() {
  const tellOnceLeft = useOutcomeOnceLeft()
  const keep = useKeepCollection()
  return useSingleMutation({
    mutationFn: ({ id, title }: Named) => call(renameCollection, { params: { id }, body: { title } }),
    onSettled: async (answer, error, { title: typed }) => {
      await keep(answer)
      const title = isolate(typed)
      tellOnceLeft(error, {
        done: m.collection_updated_of({ title }),
        failed: m.collection_update_failed_of({ title }),
      })
    },
  })
}

export function useDeleteCollection() {
  const tellOnceLeft = useOutcomeOnceLeft()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: Named) => call(deleteCollection, { params: { id } }),
    onSettled: async (_answer, error, { title: typed }) => {
      await queryClient.invalidateQueries({ queryKey: KEY })
      const title = isolate(typed)
      tellOnceLeft(error, {
        done: m.collection_deleted_of({ title }),
        failed: m.collection_delete_failed_of({ title }),
      })
    },
  })
}

export function useSendCollection() {
  const tellOnceLeft = useToastOnceLeft()
  const keep = useKeepCollection()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: sendCollection,
    onSettled: async (answer, error, { title }) => {
      void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.contents })
      await keep(answer)
      // That it is sent is said in a dialog, wherever one is by then.
      if (error) tellOnceLeft(wordsOnTheirOwn(error, m.collection_send_failed_of({ title: isolate(title) })), 'error')
    },
  })
}

/** Where the answer got lost, the collection itself tells whether it is sent. */
async function sendCollection({ id }: Named): Promise<Collection> {
  try {
    return await call(sendCollectionByPost, { params: { id } })
  } catch (error) {
    const now = isRefusal(error) ? undefined : await call(showCollection, { params: { id } }).catch(() => undefined)
    if (!now?.is_locked) throw error
    return now
  }
}

type Named = Pick<Collection, 'id' | 'title'>

/** After a change its answer is what is known; after a refusal what is shown here was out of date. */
function useKeepCollection(): (answer: Collection | undefined) => Promise<void> {
  const queryClient = useQueryClient()
  return (answer) =>
    answer
      ? keepAnswer(queryClient, [...KEY, 'one', answer.id], answer)
      : queryClient.invalidateQueries({ queryKey: KEY })
}
