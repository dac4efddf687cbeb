import type { Collection } from '@proofdesk/contract/collections'
import { Stamp } from 'lucide-react'
import { useUser } from '../../lib/session.ts'
import { m } from '../../paraglide/messages.js'
import { Badge } from '../../ui/badge.tsx'
import { WarnBanner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { goOnAtHeading } from '../../ui/go-on-at-heading.ts'
import { formatTime } from '../../ui/time.tsx'
import type { Claim } from './decided-notice.tsx'

export interface SealingNoticeProps {
  collection: Collection
  sealing: Claim
  onWithdraw: () => void
}

/** An approval whose file is still being sealed, what holds it up, and the way back for a superuser. */
export function SealingNotice({ collection, sealing, onWithdraw }: SealingNoticeProps) {
  const viewer = useUser()
  return (
    <div aria-live="polite" className="grid justify-items-start gap-3">
      <Badge icon={Stamp} tone="warn">
        {m.sealing_title()}
      </Badge>
      <p className="text-ink-2">{sayApproved(sealing, viewer.username)}</p>
      {sealing.problem !== null && (
        <WarnBanner>
          {sealing.problem === 'storage_unavailable' ? m.sealing_held_by_storage() : m.sealing_held_up()}
        </WarnBanner>
      )}
      {collection.may.withdraw && (
        <Button ref={goOnAtHeading} onClick={onWithdraw} className="text-seal!">
          {m.withdraw_action()}
        </Button>
      )}
    </div>
  )
}

function sayApproved({ since, admin_username: username }: Claim, viewer: string): string {
  const time = formatTime(since)
  return username === viewer ? m.sealing_text({ time }) : m.sealing_text_by({ username, time })
}
