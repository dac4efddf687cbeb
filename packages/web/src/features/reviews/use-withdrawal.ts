import type { Collection } from '@proofdesk/contract/collections'
import { useEffect, useEffectEvent, useState } from 'react'
import { isRefusal } from '../../lib/api-error.ts'
import { wordsOf } from '../../lib/error-words.ts'
import { leaveWhenAnswered } from '../../lib/leave-when-answered.ts'
import { useUser } from '../../lib/session.ts'
import { m } from '../../paraglide/messages.js'
import { showToast } from '../../ui/toast.ts'
import { forgetSent, useWithdrawApproval } from './api.ts'
import { sayWithdrawn, type Claim } from './decided-notice.tsx'

/**
 * Taking back an approval that is being sealed. Its dialog outlives the sealing: what was typed, and a refusal, would go with
 * it unread.
 */
export function useWithdrawal(collection: Collection) {
  const { id, is_locked: isLocked, proofid, sealing } = collection
  const viewer = useUser()
  const withdraw = useWithdrawApproval(collection)
  const [isOpen, setIsOpen] = useState(false)
  const [unanswered, setUnanswered] = useState<string>()
  // Of which the answer got lost, and which the collection shows to be withdrawn.
  const [made, setMade] = useState<Claim>()
  const [doneOn, setDoneOn] = useState<Claim>()
  // The last that was seen, until it is sealed or the collection waits again.
  const [claim, setClaim] = useState(sealing ?? undefined)
  if (sealing && sealing.since !== claim?.since) setClaim(sealing)
  if (!sealing && claim && (isLocked || proofid !== null)) setClaim(undefined)
  const isDone = claim !== undefined && doneOn?.since === claim.since

  function close() {
    setIsOpen(false)
    setUnanswered(undefined)
    setDoneOn(claim)
  }

  const isFound =
    claim !== undefined &&
    !sealing &&
    !isLocked &&
    !withdraw.isPending &&
    collection.admin_username === viewer.username &&
    collection.admin_desc === unanswered
  if (isFound) {
    setMade(claim)
    close()
  }
  const finishUnanswered = useEffectEvent(() => {
    forgetSent('withdraw', id)
    withdraw.reset()
    showToast(m.withdraw_done())
  })
  useEffect(() => {
    if (made) finishUnanswered()
  }, [made])

  function run(description: string) {
    withdraw.mutate(description, {
      onSuccess: () => (close(), showToast(m.withdraw_done())),
      onError: (error) => {
        if (!isRefusal(error)) setUnanswered(description)
      },
    })
  }

  const isOver = isDone || withdraw.isPending
  const told = isOver ? undefined : sayWithdrawn(collection, claim, viewer.username)
  return {
    isOpen,
    open: () => setIsOpen(true),
    leave: () => leaveWhenAnswered(withdraw, () => setIsOpen(false)),
    busy: withdraw.isPending,
    problem: withdraw.error ? wordsOf(withdraw.error, m.withdraw_failed()) : undefined,
    /** Why there is nothing left to withdraw. */
    decided: isOver || sealing ? undefined : (told ?? (proofid === null ? m.withdraw_over() : m.withdraw_sealed())),
    /** The approval is withdrawn, from here. */
    isDone,
    /** That somebody else has withdrawn it. */
    told,
    run,
  }
}
