import type { ServerContent } from '@proofdesk/contract/certificates'
import { useState } from 'react'
import { wordsOf } from '../../lib/error-words.ts'
import { leaveWhenAnswered } from '../../lib/leave-when-answered.ts'
import { m } from '../../paraglide/messages.js'
import { showToast } from '../../ui/toast.ts'
import { useChangeProof, type ProofChangeRequest } from './change-api.ts'

export type ProofFormProps = ReturnType<typeof useProofForm>

/** What the dialogs of all changes have in common: a note, and one request at a time. @param done What is said then. */
export function useProofForm(content: ServerContent, done: () => string, onClose: () => void) {
  // What was looked at stays what is meant, also when the list behind the dialog moves on.
  const [seen] = useState(content)
  const [note, setNote] = useState('')
  const change = useChangeProof(seen.collection_proofid, seen.change_count)
  const { mutate, isPending, error } = change
  const send = (request: ProofChangeRequest) => mutate(request, { onSuccess: () => (onClose(), showToast(done())) })
  const problem = error ? wordsOf(error, m.proof_change_failed()) : undefined

  const leave = () => leaveWhenAnswered(change, onClose)
  return { seen, note, setNote, send, isPending, problem, leave }
}
