import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query'

/**
 * Keeps what a change was answered with under its key, and asks again for what else is known under the key's first part,
 * as far as it is on screen.
 */
export async function keepAnswer(queryClient: QueryClient, queryKey: QueryKey, answer: unknown): Promise<void> {
  const isKept = await change(queryClient, queryKey, () => answer)
  const kept = hashKey(queryKey)
  await queryClient.invalidateQueries({
    queryKey: queryKey.slice(0, 1),
    predicate: (query) => !isKept || hashKey(query.queryKey) !== kept,
  })
}

/** Takes a change over into a list that is known; asks for it again where it is not, and after a refusal. */
export async function keepInList<Row>(
  queryClient: QueryClient,
  queryKey: QueryKey,
  edit: ((rows: Row[]) => Row[]) | undefined,
): Promise<void> {
  const rows = queryClient.getQueryData<Row[]>(queryKey)
  const isKept = rows && edit && (await change<Row[]>(queryClient, queryKey, (now) => edit(now ?? rows)))
  if (!isKept) await queryClient.invalidateQueries({ queryKey })
}

/** @returns false when an answer was on its way: it may be older than the change, or newer, and is to be asked for again. */
async function change<Data>(
  queryClient: QueryClient,
  queryKey: QueryKey,
  edit: (data: Data | undefined) => Data,
): Promise<boolean> {
  const wasAsking = queryClient.isFetching({ queryKey, exact: true }) > 0
  await queryClient.cancelQueries({ queryKey, exact: true })
  queryClient.setQueryData<Data>(queryKey, edit)
  return !wasAsking
}
