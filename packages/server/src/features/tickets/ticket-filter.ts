import { seesAllTickets } from '@proofdesk/contract/permissions'
import type { TicketStatus } from '@proofdesk/contract/status'
import { sql } from 'kysely'
import { foldSought, foldSoughtInBoth, toEmailPattern, toLikePattern } from '../../db/like-pattern.ts'
import { any, everything, nothing, type Condition } from '../../db/list.ts'
import type { Sought } from '../../db/search-index.ts'
import { toEmailKey } from '../../text/email-key.ts'
import type { Asker } from './asker.ts'

// Conditions on a row of `tickets as t`, for a search beside its asker `users as u` and its answerer `users as r`.

/** Everything for those who answer, one's own for all others. */
export function isVisibleTo(asker: Asker): Condition {
  return asker.kind === 'person' && seesAllTickets(asker.viewer) ? everything : isOwnOf(asker)
}

/**
 * Whether the asker opened it. A person also owns what a visitor opened with the address that is verified to be theirs;
 * a visitor what the same browser opened with the same address, and what a mailed link to it opened there. Anybody may
 * type an address: once the person has written there, the browser needs the link, or it would read along.
 */
export function isOwnOf(asker: Asker): Condition {
  if (asker.kind === 'person') {
    const { id } = asker.viewer
    return sql`(t.owner_id = ${id} or (t.owner_id is null and t.email_key =
      (select me.email_key from users as me where me.id = ${id} and me.is_email_verified = 1)))`
  }
  const { visitorId, email } = asker
  if (visitorId === null || email === null) return nothing
  const key = toEmailKey(email)
  return sql`(t.owner_id is null and t.email_key = ${key} and ((t.visitor_id = ${visitorId} and not exists
    (select 1 from ticket_messages as m where m.ticket_id = t.id and m.user_id is not null and m.is_admin = 0)) or exists
    (select 1 from visitor_addresses as a where a.visitor_id = ${visitorId} and a.email_key = ${key})))`
}

/** Whether somebody is one of those who see and answer all tickets: the rule of `seesAllTickets`. @param person A row of `users`. */
export function stillAnswers(person: 'r'): Condition {
  const has = (flag: string) => sql`${sql.ref(`${person}.${flag}`)} = 1`
  return sql`(${has('is_active')} and ${has('is_email_verified')}
    and (${has('is_staff')} or ${has('is_admin')} or ${has('is_superuser')}))`
}

/**
 * Whether there is a message the asker has not seen. For those who answer a ticket that was never opened counts too, but
 * none that is closed or that somebody else took; where that one can answer no more, those that wait for an answer.
 */
export function isUnreadBy(asker: Asker): Condition {
  if (asker.kind === 'visitor') return sql`t.visitor_seen < t.message_count`
  const { id } = asker.viewer
  const seen = sql`(select x.seen from ticket_reads as x where x.ticket_id = t.id and x.user_id = ${id})`
  return sql`(case when ${isOwnOf(asker)} then coalesce(${seen}, 0) < t.message_count
    else t.is_locked = 0 and (case when ${stillAnswers('r')} then t.admin_id = ${id} else t.status <> 'ANSWERED' end)
      and coalesce(${seen}, -1) < t.message_count end)`
}

export function hasStatus(status: TicketStatus): Condition {
  return sql`t.status = ${status}`
}

export function hasLock(isLocked: boolean): Condition {
  return isLocked ? sql`t.is_locked = 1` : sql`t.is_locked = 0`
}

/**
 * Finds the text in usernames, a visitor's address standing for one; for admin and superuser in those of answerers too.
 * Who sees only their own searches their titles.
 */
export function matchesSearch(text: string, asker: Asker): Condition {
  const pattern = toLikePattern(text)
  if (asker.kind === 'visitor' || !seesAllTickets(asker.viewer)) return sql`t.title_key like ${pattern} escape '!'`
  const conditions: Condition[] = [
    sql`u.username_key like ${pattern} escape '!'`,
    sql`t.email_key like ${toEmailPattern(text)} escape '!'`,
  ]
  if (asker.viewer.is_admin || asker.viewer.is_superuser)
    conditions.push(sql`r.username_key like ${pattern} escape '!'`)
  return any(conditions)
}

/** Where the text may stand, for the index of parts of words; undefined for who sees only their own, which are few. */
export function listSought(text: string, asker: Asker): Sought[] | undefined {
  if (asker.kind === 'visitor' || !seesAllTickets(asker.viewer)) return undefined
  const { is_admin: isAdmin, is_superuser: isSuperuser } = asker.viewer
  return [
    ...foldSoughtInBoth(text).map((folded) => ({ place: 't', text: folded }) as const),
    ...(isAdmin || isSuperuser ? [{ place: 'r', text: foldSought(text) } as const] : []),
  ]
}
