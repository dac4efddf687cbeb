import type { Collection } from '@proofdesk/contract/collections'
import type { Decision } from '@proofdesk/contract/reviews'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { isRefusal } from '../../lib/api-error.ts'
import { wordsOf } from '../../lib/error-words.ts'
import { leaveWhenAnswered } from '../../lib/leave-when-answered.ts'
import { PATHS } from '../../lib/paths.ts'
import { useUser } from '../../lib/session.ts'
import { m } from '../../paraglide/messages.js'
import { showToast } from '../../ui/toast.ts'
import { forgetSent, useApprove, useReject, type Approval } from './api.ts'
import type { DecidedState } from './decided.ts'

/** A decision that was sent. */
interface Sent {
  decision: Decision
  text: string
  /** Digest of what it is on. */
  lookedAt: string | undefined
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
  // All of them: the second try is refused where the first was taken.
  const [unanswered, setUnanswered] = useState<readonly Sent[]>([])
  // Of those, what the collection shows to be taken.
  const [made, setMade] = useState<Sent>()
  const [doneOn, setDoneOn] = useState<string>()
  const approving = useApprove(collection, lookedAt)
  const rejecting = useReject(collection, lookedAt)
  const isSending = approving.isPending || rejecting.isPending

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

  /** What was looked at is decided on: nothing that was sent before can be taken any more. */
  function close() {
    setOpen(undefined)
    setUnanswered([])
    setDoneOn(lookedAt)
  }

  function leaveDecided(decision: Decision) {
    showToast(decision === 'approve' ? m.review_approved() : m.review_rejected())
    void navigate(PATHS.dashboard, { state: { decidedId: collectionId } satisfies DecidedState })
  }

  function awaitSeal() {
    isAwaited.current = true
    showToast(m.review_sealing())
  }

  // While one is on its way, its own answer tells.
  const found = isSending
    ? undefined
    : unanswered.find((sent) => sent.lookedAt === lookedAt && isMadeBy(username, sent, collection))
  if (found) {
    setMade(found)
    close()
  }
  const finishUnanswered = useEffectEvent(({ decision }: Sent) => {
    forgetSent(decision, collectionId)
    if (sealing) awaitSeal()
    else leaveDecided(decision)
  })
  useEffect(() => {
    if (made) finishUnanswered(made)
  }, [made])

  function finish(decision: Decision) {
    close()
    leaveDecided(decision)
  }

  /** Nobody decides on files that they cannot have seen yet. */
  function begin(): boolean {
    setProblem(lookedAt === undefined ? m.review_files_awaited() : undefined)
    return lookedAt !== undefined
  }

  function approve(approval: Approval) {
    if (!begin()) return
    approving.mutate(approval, {
      onSuccess: (answer) => (answer.proofid ? finish('approve') : (close(), awaitSeal())),
      onError: (error) =>
        fail(error, m.review_approve_failed(), { decision: 'approve', text: approval.admin_desc, lookedAt }),
    })
  }

  function reject(description: string) {
    if (!begin()) return
    rejecting.mutate(description, {
      onSuccess: () => finish('reject'),
      onError: (error) => fail(error, m.review_reject_failed(), { decision: 'reject', text: description, lookedAt }),
    })
  }

  function fail(error: Error, words: string, sent: Sent) {
    setProblem(wordsOf(error, words))
    if (!isRefusal(error)) setUnanswered((before) => [...before, sent])
  }

  /** One dialog at a time stands open: what the other has sent is answered. */
  const leave = () => leaveWhenAnswered(approving.isPending ? approving : rejecting, () => setOpen(undefined))

  return {
    open,
    setOpen,
    leave,
    problem,
    /** What was looked at is decided on from here. */
    isDone: doneOn !== undefined && doneOn === lookedAt,
    approve: { busy: approving.isPending, run: approve },
    reject: { busy: rejecting.isPending, run: reject },
  }
}

/** Of an approval that is being sealed it is not told yet what was written. */
function isMadeBy(username: string, { decision, text }: Sent, collection: Collection): boolean {
  const { sealing, admin_username: decider, admin_desc: written, proofid } = collection
  if (sealing) return decision === 'approve' && sealing.admin_username === username
  if (decider !== username || written !== text) return false
  return decision === 'approve' ? proofid !== null : !collection.is_locked
}
