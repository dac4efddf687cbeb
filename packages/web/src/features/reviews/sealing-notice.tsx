import type { Collection } from '@proofdesk/contract/collections'
import { Stamp } from 'lucide-react'
import { useState } from 'react'
import { wordsOf } from '../../lib/error-words.ts'
import { leaveWhenAnswered } from '../../lib/leave-when-answered.ts'
import { m } from '../../paraglide/messages.js'
import { Badge } from '../../ui/badge.tsx'
import { WarnBanner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { formatTime } from '../../ui/time.tsx'
import { showToast } from '../../ui/toast.ts'
import { draftOfDecision, useWithdrawApproval } from './api.ts'
import { ReasonDialog } from './reason-dialog.tsx'

export interface SealingNoticeProps {
  collection: Collection
  sealing: NonNullable<Collection['sealing']>
}

/** An approval whose file is still being sealed, what holds it up, and the way back for a superuser. */
export function SealingNotice({ collection, sealing }: SealingNoticeProps) {
  const [isOpen, setIsOpen] = useState(false)
  const withdraw = useWithdrawApproval(collection.id)
  return (
    <div aria-live="polite" className="grid justify-items-start gap-3">
      <Badge icon={Stamp} tone="warn">
        {m.sealing_title()}
      </Badge>
      <p className="text-ink-2">{m.sealing_text({ time: formatTime(sealing.since) })}</p>
      {sealing.problem !== null && (
        <WarnBanner>
          {sealing.problem === 'storage_unavailable' ? m.sealing_held_by_storage() : m.sealing_held_up()}
        </WarnBanner>
      )}
      {collection.may.withdraw && (
        <Button onClick={() => setIsOpen(true)} className="text-seal!">
          {m.withdraw_action()}
        </Button>
      )}
      <ReasonDialog
        open={isOpen}
        draft={draftOfDecision('withdraw', collection.id)}
        title={m.withdraw_title()}
        text={m.withdraw_text()}
        action={m.withdraw_action()}
        busyAction={m.withdraw_action()}
        busy={withdraw.isPending}
        problem={withdraw.error ? wordsOf(withdraw.error, m.withdraw_failed()) : undefined}
        onClose={() => leaveWhenAnswered(withdraw, () => setIsOpen(false))}
        onReason={(description) =>
          withdraw.mutate(description, {
            onSuccess: () => {
              setIsOpen(false)
              showToast(m.withdraw_done())
            },
          })
        }
      />
    </div>
  )
}
