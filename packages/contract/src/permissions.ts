import { isOpen, isReviewable, type StatusFacts } from './status.ts'
import type { SettableFlag } from './users.ts'

/** Who is asking. The server builds it from the session, the web from `/user/info`. */
export interface Viewer {
  id: number
  username: string
  is_staff: boolean
  is_admin: boolean
  is_superuser: boolean
  is_email_verified: boolean
}

/** What a rule needs to know of a collection. */
export type CollectionFacts = StatusFacts & { username: string }

export function isOrdinary(viewer: Viewer): boolean {
  return !viewer.is_staff && !viewer.is_admin && !viewer.is_superuser
}

/**
 * Staff and superuser see all users' collections and decide on them; admins do not. Like every power over what belongs to
 * others, reading included, it needs a verified e-mail: whoever took an account over and changed its address has none.
 */
export function isReviewer(viewer: Viewer): boolean {
  return viewer.is_email_verified && (viewer.is_staff || viewer.is_superuser)
}

export function seesAllCollections(viewer: Viewer): boolean {
  return isReviewer(viewer)
}

function owns(viewer: Viewer, collection: Pick<CollectionFacts, 'username'>): boolean {
  return viewer.username === collection.username
}

export function canSeeCollection(viewer: Viewer, collection: CollectionFacts): boolean {
  return owns(viewer, collection) || seesAllCollections(viewer)
}

/** Only ordinary users with a verified e-mail create collections (decisions, Roles). */
export function canCreateCollection(viewer: Viewer): boolean {
  return isOrdinary(viewer) && viewer.is_email_verified
}

/**
 * No Proof ID, not locked, the viewer's own and the viewer not a superuser (specification section 6). Who has not
 * verified their e-mail only reads (decisions, Roles).
 */
export function canEditCollection(viewer: Viewer, collection: CollectionFacts): boolean {
  if (!owns(viewer, collection) || viewer.is_superuser || !viewer.is_email_verified) return false
  return !collection.proofid && !collection.is_locked
}

/** Non-admin, non-staff owners: unlocked without Proof ID, or locked and inactive (specification section 6). */
export function canDeleteCollection(viewer: Viewer, collection: CollectionFacts): boolean {
  if (!owns(viewer, collection) || viewer.is_admin || viewer.is_staff || !viewer.is_email_verified) return false
  return (!collection.is_locked && !collection.proofid) || (collection.is_locked && !collection.is_active)
}

export function canAddContent(viewer: Viewer, collection: CollectionFacts): boolean {
  return canCreateCollection(viewer) && owns(viewer, collection) && isOpen(collection)
}

/** Renaming, replacing and reordering: whoever may add one. */
export function canChangeContents(viewer: Viewer, collection: CollectionFacts): boolean {
  return canAddContent(viewer, collection)
}

/**
 * The owner while the collection is open; staff and superuser until an approval is claimed.
 * @param collection `is_claimed`: an approval has been claimed, even if its file is still being sealed.
 */
export function canDeleteContent(viewer: Viewer, collection: CollectionFacts & { is_claimed: boolean }): boolean {
  if (collection.is_claimed || collection.proofid || !viewer.is_email_verified) return false
  return isReviewer(viewer) || (owns(viewer, collection) && isOpen(collection))
}

/** Specification section 5: not staff, not superuser, e-mail verified, collection not locked. */
export function canSendCollection(viewer: Viewer, collection: CollectionFacts): boolean {
  return canCreateCollection(viewer) && owns(viewer, collection) && isOpen(collection)
}

/** Nobody reviews a collection of their own; reviewers need a verified e-mail too (decisions, Roles). */
export function canReview(viewer: Viewer, collection: CollectionFacts): boolean {
  return isReviewer(viewer) && !owns(viewer, collection) && isReviewable(collection)
}

/** Descriptions saved for the next decision: every reviewer's own. */
export function canSaveReasons(viewer: Viewer): boolean {
  return isReviewer(viewer) && viewer.is_email_verified
}

/** A superuser may withdraw an approval that is claimed but cannot be sealed. */
export function canWithdrawApproval(viewer: Viewer): boolean {
  return viewer.is_superuser && viewer.is_email_verified
}

export function canComment(viewer: Viewer, collection: CollectionFacts): boolean {
  return viewer.is_email_verified && canSeeCollection(viewer, collection)
}

/** Own comments only, compared by user id (specification section 6). */
export function canDeleteComment(viewer: Viewer, comment: { user: number }): boolean {
  return viewer.id === comment.user && viewer.is_email_verified
}

export function canOpenNotifications(viewer: Viewer): boolean {
  return viewer.is_email_verified
}

/**
 * Staff, admin and superuser see all tickets and answer them, once their e-mail is verified (specification section 6;
 * decisions, Tickets and Roles).
 */
export function seesAllTickets(viewer: Viewer): boolean {
  return viewer.is_email_verified && !isOrdinary(viewer)
}

/** Visitors (null) and ordinary users, whether or not their e-mail is verified. */
export function canCreateTicket(viewer: Viewer | null): boolean {
  return viewer === null || isOrdinary(viewer)
}

/** What a rule needs to know of a ticket. */
export interface TicketFacts {
  is_locked: boolean
  /** Who has taken it; null while nobody has. */
  admin_username: string | null
  /** Whether the viewer is the one who asks. */
  is_own: boolean
}

/**
 * Who may add a message to a ticket they see, were it open: the asker; else reviewers and admins with a verified e-mail
 * while nobody else has taken it; a superuser always (decisions, Tickets). The others read 'Not Allowed'.
 * @param viewer Null for a visitor, who sees nothing but their own.
 */
export function canWriteTo(viewer: Viewer | null, ticket: Omit<TicketFacts, 'is_locked'>): boolean {
  if (ticket.is_own || viewer === null) return ticket.is_own
  if (!seesAllTickets(viewer)) return false
  return viewer.is_superuser || ticket.admin_username === null || ticket.admin_username === viewer.username
}

export function canSendMessage(viewer: Viewer | null, ticket: TicketFacts): boolean {
  return !ticket.is_locked && canWriteTo(viewer, ticket)
}

/** Closing and reopening: whoever took it, or a superuser. */
export function canCloseTicket(viewer: Viewer | null, ticket: Pick<TicketFacts, 'admin_username'>): boolean {
  if (viewer === null || !seesAllTickets(viewer)) return false
  return viewer.is_superuser || ticket.admin_username === viewer.username
}

/** Admins and superusers with a verified e-mail see all accounts (specification section 6; decisions, Roles). */
export function canManageUsers(viewer: Pick<Viewer, 'is_admin' | 'is_superuser' | 'is_email_verified'>): boolean {
  return viewer.is_email_verified && (viewer.is_admin || viewer.is_superuser)
}

/** One person with their sessions, and ending those. */
export function canSeePerson(viewer: Pick<Viewer, 'is_superuser' | 'is_email_verified'>): boolean {
  return viewer.is_email_verified && viewer.is_superuser
}

/**
 * Superusers, verified or not: whoever waits for their own verification mail must be able to find out why it does not
 * come.
 */
export function canSeeMail(viewer: Pick<Viewer, 'is_superuser'>): boolean {
  return viewer.is_superuser
}

/** What a rule needs to know of an account. */
export type AccountFacts = Pick<Viewer, 'id' | 'is_superuser' | 'is_email_verified'>

/** Whether a change takes a right away, as opposed to giving one or saying how somebody signs in. */
export function takesRight(flag: SettableFlag, value: boolean): boolean {
  return !value && (flag === 'is_active' || flag === 'is_superuser' || flag === 'is_admin' || flag === 'is_staff')
}

/**
 * Superusers set every flag but the superuser's, which they only take away; of an unverified account they set
 * `is_email_verified`, and take any right away. Nobody takes away their own superuser or active flag.
 * Admins set `is_staff` of verified accounts that are neither their own nor a superuser's (decisions, Roles). Like all
 * who change something, both need a verified e-mail.
 */
export function canSetUserFlag(viewer: Viewer, account: AccountFacts, flag: SettableFlag, value: boolean): boolean {
  if (!viewer.is_email_verified) return false
  const isOwn = viewer.id === account.id
  if (viewer.is_superuser) {
    if (flag === 'is_superuser' && value) return false
    if (takesRight(flag, value)) return !(isOwn && (flag === 'is_active' || flag === 'is_superuser'))
    return account.is_email_verified || flag === 'is_email_verified'
  }
  return viewer.is_admin && flag === 'is_staff' && account.is_email_verified && !isOwn && !account.is_superuser
}
