import type { Collection } from '@proofdesk/contract/collections'
import { isReviewable } from '@proofdesk/contract/status'
import { m } from '../../paraglide/messages.js'
import { WarnBanner } from '../../ui/banner.tsx'

/** In a dialog that was open while another reviewer decided; read out at once. */
export function DecidedNotice({ text }: { text: string }) {
  return (
    <div role="alert">
      <WarnBanner>{text}</WarnBanner>
    </div>
  )
}

/** @returns undefined while nobody has decided. */
export function sayDecided(collection: Collection): string | undefined {
  const { admin_username: username, sealing } = collection
  if (isReviewable(collection) && !sealing) return undefined
  // While an approval is being sealed that is still the name of who decided the round before.
  return username === null || sealing ? m.review_decided_meanwhile() : m.review_decided_meanwhile_by({ username })
}
