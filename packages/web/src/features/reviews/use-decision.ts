import type { Collection } from '@proofdesk/contract/collections'
import type { Decision } from '@proofdesk/contract/reviews'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { NetworkError } from '../../lib/api-error.ts'
import { forgetDraft } from '../../lib/drafts.ts'
import { wordsOf } from '../../lib/error-words.ts'
import { leaveWhenAnswered } from '../../lib/leave-when-answered.ts'
import { PATHS } from '../../lib/paths.ts'
import { useUser } from '../../lib/session.ts'
import { m } from '../../paraglide/messages.js'
import { showToast } from '../../ui/toast.ts'
import { draftOfDecision, draftOfExpiry, useApprove, useReject, type Approval } from './api.ts'
import type { DecidedState } from './decided.ts'

/** A decision that was sent. */
interface Sent {
  decision: Decision
  text: string
}

/**
 * The two decisions. Done, they lead to the dashboard (specification section 4), also where the answer got lost and only the
 * collection tells. Where the file is still being sealed whoever approved stays, and is told here what becomes of it.
 */
export function useDecision(collection: Collection, lookedAt: string | undefined) {
  const { id: collectionId, proofid, sealing } = collection
  const { username } = useUser()
  const navigate = useNavigate()
  const isAwaited = useRef(false)
  const [open, show] = useState<'approve' | 'reject'>()
  const [problem, setProblem] = useState<string>()
  const [unanswered, setUnanswered] = useState<Sent>()
  const [doneOn, setDoneOn] = useState<string>()
  const approving = useApprove(collectionId, lookedAt)
  const rejecting = useReject(collectionId, lookedAt)

  useEffect(() => {
    if (!isAwaited.current || sealing) return
    isAwaited.current = false
    // Without one it was withdrawn.
    if (proofid) showToast(m.review_approved())
  }, [proofid, sealing])

  function setOpen(dialog: 'approve' | 'reject' | undefined) {
    setProblem(undefined)
    show(dialog)
  }

  function finish(decision: Decision) {
    setOpen(undefined)
    setDoneOn(lookedAt)
    leaveDecided(decision)
  }

  function leaveDecided(decision: Decision) {
    showToast(decision === 'approve' ? m.review_approved() : m.review_rejected())
    void navigate(PATHS.dashboard, { state: { decidedId: collectionId } satisfies DecidedState })
  }

  const isMade = unanswered !== undefined && isMadeBy(username, unanswered, collection)
  const finishUnanswered = useEffectEvent(() => {
    if (!unanswered) return
    forgetDraft(draftOfDecision(unanswered.decision, collectionId))
    if (unanswered.decision === 'approve') forgetDraft(draftOfExpiry(collectionId))
    leaveDecided(unanswered.decision)
  })
  useEffect(() => {
    if (isMade) finishUnanswered()
  }, [isMade])

  /** Nobody decides on files that they cannot have seen yet. */
  function begin(): boolean {
    setProblem(lookedAt === undefined ? m.review_files_awaited() : undefined)
    return lookedAt !== undefined
  }

  function approve(approval: Approval) {
    if (!begin()) return
    approving.mutate(approval, {
      onSuccess: (answer) => (answer.proofid ? finish('approve') : awaitSeal()),
      onError: (error) => fail(error, m.review_approve_failed(), { decision: 'approve', text: approval.admin_desc }),
    })
  }

  function awaitSeal() {
    isAwaited.current = true
    setOpen(undefined)
    setDoneOn(lookedAt)
    showToast(m.review_sealing())
  }

  function reject(description: string) {
    if (!begin()) return
    rejecting.mutate(description, {
      onSuccess: () => finish('reject'),
      onError: (error) => fail(error, m.review_reject_failed(), { decision: 'reject', text: description }),
    })
  }

  function fail(error: Error, words: string, sent: Sent) {
    setProblem(wordsOf(error, words))
    if (error instanceof NetworkError) setUnanswered(sent)
  }

  /** One dialog at a time stands open: what the other has sent is answered. */
  const leave = () => leaveWhenAnswered(approving.isPending ? approving : rejecting, () => setOpen(undefined))

  return {
    open,
    setOpen,
    leave,
    problem,
    /** What was looked at is decided on from here. */
    isDone: isMade || (doneOn !== undefined && doneOn === lookedAt),
    approve: { busy: approving.isPending, run: approve },
    reject: { busy: rejecting.isPending, run: reject },
  }
}

function isMadeBy(username: string, { decision, text }: Sent, collection: Collection): boolean {
  if (collection.admin_username !== username || collection.admin_desc !== text) return false
  return decision === 'approve' ? collection.proofid !== null : !collection.is_locked
}
