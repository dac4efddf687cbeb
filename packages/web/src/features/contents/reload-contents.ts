import type { Content } from '@proofdesk/contract/contents'
import { keepInList } from '../../lib/keep-answer.ts'
import { queryClient } from '../../lib/query-client.ts'
import { QUERY_KEYS } from '../../lib/query-keys.ts'

/** A collection counts its contents, so both are loaded again; after a refusal too, since then they were out of date. */
export async function reloadContents(): Promise<void> {
  await Promise.all(
    [QUERY_KEYS.contents, QUERY_KEYS.collections].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
  )
}

/** Takes a content over as a change was answered. */
export async function keepContent(changed: Content): Promise<void> {
  await keepInList<Content>(queryClient, [...QUERY_KEYS.contents, changed.collection.id], (contents) =>
    contents.map((content) => (content.id === changed.id ? changed : content)),
  )
}
