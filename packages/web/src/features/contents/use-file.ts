import { MEDIA_TYPE_OF, serveContent, type Content } from '@proofdesk/contract/contents'
import { useQuery } from '@tanstack/react-query'
import { callFile } from '../../lib/call.ts'
import { QUERY_KEYS } from '../../lib/query-keys.ts'

/** Long enough to go back and forth between two documents, and no longer: files are large. */
const KEPT_MS = 30_000

/** The file of a content. It may be replaced while the collection is open, and then has another hash. */
export function useFile({ id, type, sha256 }: Content) {
  return useQuery({
    // Not under `contents`: a changed list loads no file again.
    queryKey: [...QUERY_KEYS.contentFiles, id, sha256],
    queryFn: async ({ signal }) => {
      const file = await callFile(serveContent, { query: { content_id: id } }, { signal })
      if (file.type !== MEDIA_TYPE_OF[type]) throw new Error(`Not the type it should have: ${file.type}`)
      return file
    },
    retry: false,
    staleTime: Infinity,
    gcTime: KEPT_MS,
  })
}
