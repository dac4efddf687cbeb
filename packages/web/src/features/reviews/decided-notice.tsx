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

/** A claimed approval that is being sealed. */
export type Claim = NonNullable<Collection['sealing']>

/** That a claimed approval was withdrawn, by somebody else or in another window. @param claim The last one that was seen */
export function sayWithdrawn(
  { admin_username: username, sealing, is_locked, proofid }: Collection,
  claim: Claim | undefined,
  viewer: string,
): string | undefined {
  if (!claim || sealing || is_locked || proofid !== null || username === null) return undefined
  if (username === viewer) return m.review_withdrawn_self()
  return claim.admin_username === viewer ? m.review_withdrawn_own({ username }) : m.review_withdrawn_by({ username })
}

export type DecidedBy = 'nobody' | 'oneself' | 'another' | { username: string }

/** Who has taken the decision on what waited. @param viewer Username */
export function findDecider(
  { admin_username: username, sealing, ...collection }: Collection,
  viewer: string,
): DecidedBy {
  if (isReviewable(collection) && !sealing) return 'nobody'
  // While an approval is being sealed the collection still names who decided the round before.
  const decider = sealing ? sealing.admin_username : username
  if (decider === null) return 'another'
  return decider === viewer ? 'oneself' : { username: decider }
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
