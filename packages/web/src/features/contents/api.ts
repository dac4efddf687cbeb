import { showInstance } from '@proofdesk/contract/auth'
import type { Collection } from '@proofdesk/contract/collections'
import { deleteContent, listContents, orderContents, renameContent, type Content } from '@proofdesk/contract/contents'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { isolate } from '../../lib/isolate.ts'
import { useIsLive } from '../../lib/live-events.ts'
import { QUERY_KEYS } from '../../lib/query-keys.ts'
import { useSingleMutation } from '../../lib/use-single-mutation.ts'
import { m } from '../../paraglide/messages.js'
import { useOutcomeOnceLeft } from '../../ui/use-outcome-once-left.ts'
import { keepContent, reloadContents } from './reload-contents.ts'
import type { TitleChoice } from './upload-item.ts'

/** How often, and how many times in all, thumbnails on their way are asked for where no event tells that they are here. */
const LOOK_EVERY_MS = 2000
const MAX_LOOKS = 20

/** All contents of one collection, newest first; but a file that came late stands where it was meant to. */
export function useContents(collectionId: number) {
  const isLive = useIsLive()
  return useQuery({
    queryKey: [...QUERY_KEYS.contents, collectionId],
    queryFn: async ({ signal }) => {
      const query = { collection: collectionId, ordering: '-created_at' } as const
      return (await call(listContents, { query }, { signal })).results
    },
    refetchInterval: ({ state: { data, dataUpdateCount } }) => {
      const isAwaited = data?.some(({ thumbnail }) => thumbnail === 'PENDING')
      return isAwaited && !isLive && dataUpdateCount < MAX_LOOKS && LOOK_EVERY_MS
    },
    select: sortByPosition,
  })
}

function sortByPosition(contents: Content[]): Content[] {
  return contents.toSorted((one, other) => other.position - one.position)
}

/** The operator's limit for one file, in megabytes; undefined until it is known. */
export function useMaxUploadMb(): number | undefined {
  const { data } = useQuery({
    queryKey: QUERY_KEYS.instance,
    queryFn: ({ signal }) => call(showInstance, {}, { signal }),
    staleTime: Infinity,
  })
  return data?.max_upload_mb
}

type Filed = Pick<Content, 'id' | 'file_name'>

export function useDeleteContent(collectionId: number) {
  const tellOnceLeft = useOutcomeOnceLeft()
  return useMutation({
    mutationFn: ({ id }: Filed) => call(deleteContent, { params: { id }, query: { collection: collectionId } }),
    onSettled: async (_answer, error, { file_name }) => {
      await reloadContents()
      const file = isolate(file_name)
      tellOnceLeft(error, { done: m.content_deleted_of({ file }), failed: m.content_delete_failed_of({ file }) })
    },
  })
}

export function useRenameContent() {
  const tellOnceLeft = useOutcomeOnceLeft()
  return useSingleMutation({
    mutationFn: ({ id, titleType, title }: TitleChoice & Filed) =>
      call(renameContent, { params: { id }, body: { title_type: titleType, title } }),
    onSettled: async (answer, error, { file_name }) => {
      await (answer ? keepContent(answer) : reloadContents())
      const file = isolate(file_name)
      tellOnceLeft(error, { done: m.content_renamed_of({ file }), failed: m.content_rename_failed_of({ file }) })
    },
  })
}

/** Puts the files in another order, on screen at once. Takes their ids in the order of the certified PDF. */
export function useOrderContents({ id: collectionId, title }: Pick<Collection, 'id' | 'title'>) {
  const queryClient = useQueryClient()
  const tellOnceLeft = useOutcomeOnceLeft()
  const queryKey = [...QUERY_KEYS.contents, collectionId]
  return useSingleMutation({
    mutationFn: (ids: number[]) => call(orderContents, { body: { collection: collectionId, contents: ids } }),
    onMutate: async (ids) => {
      await queryClient.cancelQueries({ queryKey })
      const before = queryClient.getQueryData<Content[]>(queryKey)
      place(new Map(ids.map((id, index) => [id, index + 1])))
      return new Map(before?.map(({ id, position }) => [id, position]))
    },
    // At once: the order there is may not be had either.
    onError: (_error, _ids, before) => before && place(before),
    onSettled: async (_answer, error) => {
      await reloadContents()
      const of = { title: isolate(title) }
      tellOnceLeft(error, { done: m.contents_ordered_of(of), failed: m.contents_order_failed_of(of) })
    },
  })

  function place(positions: ReadonlyMap<number, number>): void {
    queryClient.setQueryData<Content[]>(queryKey, (contents) =>
      contents?.map((content) => ({ ...content, position: positions.get(content.id) ?? content.position })),
    )
  }
}
