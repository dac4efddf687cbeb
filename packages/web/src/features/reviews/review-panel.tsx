import type { Collection } from '@proofdesk/contract/collections'
import { isReviewer } from '@proofdesk/contract/permissions'
import { isReviewable } from '@proofdesk/contract/status'
import { Check, Undo2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useUser } from '../../lib/session.ts'
import { useShortcut } from '../../lib/use-shortcut.ts'
import { m } from '../../paraglide/messages.js'
import { ErrorBanner, WarnBanner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { goOnAtHeading } from '../../ui/go-on-at-heading.ts'
import { draftOfDecision, draftOfExpiry } from './api.ts'
import { ApproveDialog } from './approve-dialog.tsx'
import { DecidedNotice, findDecider, sayDecided, sayDecidedMeanwhile } from './decided-notice.tsx'
import { ReasonDialog } from './reason-dialog.tsx'
import { SealingNotice } from './sealing-notice.tsx'
import { useDecision } from './use-decision.ts'
import { useWithdrawal } from './use-withdrawal.ts'

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
  const { open, setOpen, leave, problem, isDone, approve, reject } = useDecision(collection, lookedAt)
  const withdrawal = useWithdrawal(collection)
  const mayDecide = collection.may.review
  const [hasWaited, setHasWaited] = useState(mayDecide)
  if (mayDecide && !hasWaited) setHasWaited(true)
  const document = collection.submission?.document
  const isReady = mayDecide && !notice && document !== 'preparing'
  const isApprovable = isReady && collection.content_count > 0 && document !== 'failed'
  useShortcut('a', () => setOpen('approve'), isApprovable)
  useShortcut('r', () => setOpen('reject'), isReady)
  if (!isReviewer(viewer)) return null
  // An own decision that is on its way is answered in its dialog; what somebody else has decided is told there.
  const isSending = approve.busy || reject.busy
  const isOwnDoing = isSending || isDone || withdrawal.busy || withdrawal.isDone
  const decider = mayDecide || isOwnDoing ? 'nobody' : findDecider(collection, viewer.username)
  const decided = isSending ? undefined : (withdrawal.told ?? sayDecidedMeanwhile(decider))
  const shown = mayDecide || isSending || decided ? open : undefined
  const isOwn = viewer.username === collection.username && isReviewable(collection)
  // A refusal is still told once the collection has moved on and there is nothing left to decide.
  const hasSection = mayDecide || collection.sealing || isOwn || (problem && !shown)
  const isTold = !shown && !withdrawal.isOpen && !collection.sealing
  const toldAtDesk = isTold ? (withdrawal.told ?? (hasWaited ? sayDecided(decider) : undefined)) : undefined
  if (!hasSection && !shown && !withdrawal.isOpen && !toldAtDesk) return null
  return (
    <>
      {toldAtDesk && <DecidedNotice text={toldAtDesk} />}
      {hasSection && (
        <section tabIndex={-1} aria-labelledby="decision" className="sheet grid gap-4 p-4 outline-none sm:p-5">
          <h2 id="decision" className="font-serif text-xl font-semibold">
            {m.review_title()}
          </h2>
          {problem && !shown && <ErrorBanner>{problem}</ErrorBanner>}
          {isOwn && <WarnBanner>{m.own_collection()}</WarnBanner>}
          {collection.sealing && (
            <SealingNotice collection={collection} sealing={collection.sealing} onWithdraw={withdrawal.open} />
          )}
          {mayDecide && notice}
          {mayDecide && (
            <>
              <p className="text-ink-2">{collection.content_count === 0 ? m.review_text_empty() : m.review_text()}</p>
              <div className="flex flex-wrap gap-2">
                <Button
                  ref={goOnAtHeading}
                  kind="brand"
                  disabled={!isApprovable}
                  aria-keyshortcuts="Alt+A"
                  onClick={() => setOpen('approve')}
                >
                  <Check aria-hidden size={17} />
                  {m.review_approve()}
                </Button>
                <Button
                  ref={goOnAtHeading}
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
      <ReasonDialog
        open={withdrawal.isOpen}
        draft={draftOfDecision('withdraw', collection.id)}
        title={m.withdraw_title()}
        text={m.withdraw_text()}
        action={m.withdraw_action()}
        busyAction={m.withdraw_action()}
        busy={withdrawal.busy}
        problem={withdrawal.problem}
        decided={withdrawal.decided}
        onClose={withdrawal.leave}
        onReason={withdrawal.run}
      />
    </>
  )
}
