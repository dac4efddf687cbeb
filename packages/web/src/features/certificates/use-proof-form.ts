import type { ServerContent } from '@proofdesk/contract/certificates'
import type { ProofChangeKind } from '@proofdesk/contract/proof-changes'
import { useState } from 'react'
import { wordsOf } from '../../lib/error-words.ts'
import { leaveWhenAnswered } from '../../lib/leave-when-answered.ts'
import { useDraft } from '../../lib/use-draft.ts'
import { m } from '../../paraglide/messages.js'
import { showToast } from '../../ui/toast.ts'
import { useChangeProof, type ProofChangeRequest } from './change-api.ts'

export type ProofFormProps = ReturnType<typeof useProofForm>

export interface ProofFormOptions {
  content: ServerContent
  kind: ProofChangeKind
  /** What is said once it is done. */
  done: () => string
  onClose: () => void
}

/** What the dialogs of all changes have in common: a note, and one request at a time. */
export function useProofForm({ content, kind, done, onClose }: ProofFormOptions) {
  // What was looked at stays what is meant, also when the list behind the dialog moves on.
  const [seen] = useState(content)
  const draft = `${kind}:${seen.collection_proofid}`
  const [note, setNote] = useDraft(draft)
  const change = useChangeProof(seen.collection_proofid, seen.change_count, draft)
  const { mutate, isPending, error } = change
  const send = (request: ProofChangeRequest) => mutate(request, { onSuccess: () => (onClose(), showToast(done())) })
  const problem = error ? wordsOf(error, m.proof_change_failed()) : undefined

  const leave = () => leaveWhenAnswered(change, onClose)
  return { seen, note, setNote, send, isPending, problem, leave }
}
