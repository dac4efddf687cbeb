import type { Collection } from '@proofdesk/contract/collections'
import { isReviewer } from '@proofdesk/contract/permissions'
import { isReviewable } from '@proofdesk/contract/status'
import { Check, Undo2 } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { wordsOf } from '../../lib/error-words.ts'
import { leaveWhenAnswered } from '../../lib/leave-when-answered.ts'
import { PATHS } from '../../lib/paths.ts'
import { useUser } from '../../lib/session.ts'
import { useShortcut } from '../../lib/use-shortcut.ts'
import { m } from '../../paraglide/messages.js'
import { ErrorBanner, WarnBanner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { showToast } from '../../ui/toast.ts'
import { draftOfDecision, draftOfExpiry, useApprove, useReject, type Approval } from './api.ts'
import { ApproveDialog } from './approve-dialog.tsx'
import { sayDecided } from './decided-notice.tsx'
import type { DecidedState } from './decided.ts'
import { ReasonDialog } from './reason-dialog.tsx'
import { SealingNotice } from './sealing-notice.tsx'

export interface ReviewPanelProps {
  collection: Collection
  /** Digest of what the decision is on; undefined until all of it is on screen. */
  lookedAt: string | undefined
  /** What is to be looked at before anything is decided. */
  notice: ReactNode
}

/** Approving and rejecting, for those who may; why not, for reviewers who may not. */
export function ReviewPanel({ collection, lookedAt, notice }: ReviewPanelProps) {
  const viewer = useUser()
  const { open, setOpen, leave, problem, approve, reject } = useDecision(collection, lookedAt)
  const mayDecide = collection.may.review
  const document = collection.submission?.document
  const isReady = mayDecide && !notice && document !== 'preparing'
  const isApprovable = isReady && collection.content_count > 0 && document !== 'failed'
  useShortcut('a', () => setOpen('approve'), isApprovable)
  useShortcut('r', () => setOpen('reject'), isReady)
  if (!isReviewer(viewer)) return null
  // An own decision that is on its way is answered in its dialog; what somebody else has decided is told there.
  const isSending = approve.busy || reject.busy
  const decided = mayDecide || isSending ? undefined : sayDecided(collection)
  const shown = mayDecide || isSending || decided ? open : undefined
  const isOwn = viewer.username === collection.username && isReviewable(collection)
  // A refusal is still told once the collection has moved on and there is nothing left to decide.
  const hasSection = mayDecide || collection.sealing || isOwn || (problem && !shown)
  if (!hasSection && !shown) return null
  return (
    <>
      {hasSection && (
        <section tabIndex={-1} aria-labelledby="decision" className="sheet grid gap-4 p-4 outline-none sm:p-5">
          <h2 id="decision" className="font-serif text-xl font-semibold">
            {m.review_title()}
          </h2>
          {problem && !shown && <ErrorBanner>{problem}</ErrorBanner>}
          {isOwn && <WarnBanner>{m.own_collection()}</WarnBanner>}
          {collection.sealing && <SealingNotice collection={collection} sealing={collection.sealing} />}
          {mayDecide && notice}
          {mayDecide && (
            <>
              <p className="text-ink-2">{collection.content_count === 0 ? m.review_text_empty() : m.review_text()}</p>
              <div className="flex flex-wrap gap-2">
                <Button
                  kind="brand"
                  disabled={!isApprovable}
                  aria-keyshortcuts="Alt+A"
                  onClick={() => setOpen('approve')}
                >
                  <Check aria-hidden size={17} />
                  {m.review_approve()}
                </Button>
                <Button
                  disabled={!isReady}
                  aria-keyshortcuts="Alt+R"
                  onClick={() => setOpen('reject')}
                  className="text-seal!"
                >
                  <Undo2 aria-hidden size={16} />
                  {m.review_reject()}
                </Button>
              </div>
            </>
          )}
        </section>
      )}
      <ApproveDialog
        open={shown === 'approve'}
        draft={draftOfDecision('approve', collection.id)}
        expiryDraft={draftOfExpiry(collection.id)}
        busy={approve.busy}
        problem={shown && problem}
        decided={decided}
        onClose={leave}
        onApprove={approve.run}
      />
      <ReasonDialog
        open={shown === 'reject'}
        draft={draftOfDecision('reject', collection.id)}
        title={m.review_reject_title()}
        action={m.review_reject()}
        busyAction={m.review_rejecting()}
        busy={reject.busy}
        problem={shown && problem}
        decided={decided}
        onClose={leave}
        onReason={reject.run}
      />
    </>
  )
}

/**
 * The two decisions. Done, they lead to the dashboard (specification section 4). Where the file is still being sealed whoever
 * approved stays, and is told here what becomes of it.
 */
function useDecision({ id: collectionId, proofid, sealing }: Collection, lookedAt: string | undefined) {
  const navigate = useNavigate()
  const isAwaited = useRef(false)
  const [open, show] = useState<'approve' | 'reject'>()
  const [problem, setProblem] = useState<string>()
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

  function finish(words: string) {
    setOpen(undefined)
    showToast(words)
    void navigate(PATHS.dashboard, { state: { decidedId: collectionId } satisfies DecidedState })
  }

  /** Nobody decides on files that they cannot have seen yet. */
  function begin(): boolean {
    setProblem(lookedAt === undefined ? m.review_files_awaited() : undefined)
    return lookedAt !== undefined
  }

  function approve(approval: Approval) {
    if (!begin()) return
    approving.mutate(approval, {
      onSuccess: (answer) => (answer.proofid ? finish(m.review_approved()) : awaitSeal()),
      onError: (error) => setProblem(wordsOf(error, m.review_approve_failed())),
    })
  }

  function awaitSeal() {
    isAwaited.current = true
    setOpen(undefined)
    showToast(m.review_sealing())
  }

  function reject(description: string) {
    if (!begin()) return
    rejecting.mutate(description, {
      onSuccess: () => finish(m.review_rejected()),
      onError: (error) => setProblem(wordsOf(error, m.review_reject_failed())),
    })
  }

  /** One dialog at a time stands open: what the other has sent is answered. */
  const leave = () => leaveWhenAnswered(approving.isPending ? approving : rejecting, () => setOpen(undefined))

  return {
    open,
    setOpen,
    leave,
    problem,
    approve: { busy: approving.isPending, run: approve },
    reject: { busy: rejecting.isPending, run: reject },
  }
}
