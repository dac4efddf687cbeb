import { changeProofExpiry, listProofChanges, reinstateProof, revokeProof } from '@proofdesk/contract/proof-changes'
import type { RevocationReason } from '@proofdesk/contract/proof-verdict'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { forgetDraft } from '../../lib/drafts.ts'
import { QUERY_KEYS } from '../../lib/query-keys.ts'
import { useSingleMutation } from '../../lib/use-single-mutation.ts'

// Apart from what lists need: loaded with the dialogs.

/** Oldest first. */
export function useProofChanges(proofid: string) {
  return useQuery({
    queryKey: [...QUERY_KEYS.serverContents, 'changes', proofid],
    queryFn: async ({ signal }) =>
      (await call(listProofChanges, { query: { collection_proofid: proofid } }, { signal })).results,
  })
}

/** A note for staff, and what is to become of the proof; the note alone undoes a revocation. */
export type ProofChangeRequest =
  | { text: string; reason: RevocationReason }
  /** ISO 8601 in UTC; null for never. */
  | { text: string; expire_time: string | null }
  | { text: string }

/**
 * @param seen How many changes the proof had as it was looked at: another one that came since refuses this one.
 * @param draft Name of the note's draft.
 */
export function useChangeProof(proofid: string, seen: number, draft: string) {
  const queryClient = useQueryClient()
  return useSingleMutation({
    mutationFn: (request: ProofChangeRequest) => {
      const given = { ...request, proofid, change_count: seen }
      if ('reason' in given) return call(revokeProof, { body: given })
      if ('expire_time' in given) return call(changeProofExpiry, { body: given })
      return call(reinstateProof, { body: given })
    },
    onSuccess: (_answer, { text }) => forgetDraft(draft, text),
    // After a refusal too: somebody else may have changed it meanwhile.
    onSettled: () => {
      for (const queryKey of [QUERY_KEYS.serverContents, QUERY_KEYS.collections, QUERY_KEYS.contents])
        void queryClient.invalidateQueries({ queryKey })
    },
  })
}
