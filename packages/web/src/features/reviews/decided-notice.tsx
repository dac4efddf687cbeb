import type { Collection } from '@proofdesk/contract/collections'
import { isReviewable } from '@proofdesk/contract/status'
import { m } from '../../paraglide/messages.js'
import { WarnBanner } from '../../ui/banner.tsx'

/** That a decision was taken elsewhere while one looked, or while a dialog was open; read out at once. */
export function DecidedNotice({ text }: { text: string }) {
  return (
    <div role="alert">
      <WarnBanner>{text}</WarnBanner>
    </div>
  )
}

export type DecidedBy = 'nobody' | 'oneself' | 'another' | { username: string }

/** Who has taken the decision on what waited. @param viewer Username */
export function findDecider(
  { admin_username: username, sealing, ...collection }: Collection,
  viewer: string,
): DecidedBy {
  if (isReviewable(collection) && !sealing) return 'nobody'
  // While an approval is being sealed that is still the name of who decided the round before.
  if (username === null || sealing) return 'another'
  return username === viewer ? 'oneself' : { username }
}

/** For a dialog, in which something may have been typed. @returns undefined while nobody has decided */
export function sayDecidedMeanwhile(by: DecidedBy): string | undefined {
  if (by === 'nobody') return undefined
  if (by === 'oneself') return m.review_decided_meanwhile_self()
  return by === 'another' ? m.review_decided_meanwhile() : m.review_decided_meanwhile_by(by)
}

/** For the desk. @returns undefined while nobody has decided */
export function sayDecided(by: DecidedBy): string | undefined {
  if (by === 'nobody') return undefined
  if (by === 'oneself') return m.review_decided_self()
  return by === 'another' ? m.review_decided() : m.review_decided_by(by)
}
