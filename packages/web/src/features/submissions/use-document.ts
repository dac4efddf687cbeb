import { MEDIA_TYPE_OF } from '@proofdesk/contract/contents'
import { serveDocument, type Submission } from '@proofdesk/contract/submissions'
import { useQuery } from '@tanstack/react-query'
import { callFile } from '../../lib/call.ts'
import { QUERY_KEYS } from '../../lib/query-keys.ts'

/** Long enough to go back and forth between two collections, and no longer: documents are large. */
const KEPT_MS = 30_000

/** The review document of a submission, which never changes. */
export function useDocument(collectionId: number, { number, document }: Submission) {
  return useQuery({
    queryKey: [...QUERY_KEYS.reviewDocuments, collectionId, number, document.sha256],
    queryFn: async ({ signal }) => {
      const file = await callFile(serveDocument, { params: { id: collectionId, number } }, { signal })
      if (file.type !== MEDIA_TYPE_OF.PDF) throw new Error(`Not the type it should have: ${file.type}`)
      return file
    },
    enabled: document.state === 'ready',
    retry: false,
    staleTime: Infinity,
    gcTime: KEPT_MS,
  })
}
