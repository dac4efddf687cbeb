import type { ErrorCode } from './errors.ts'
import { isOpen, isReviewable, type StatusFacts } from './status.ts'
import type { SettableFlag } from './directory.ts'

/** Who is asking. The server builds it from the session, the web from `/user/info`. */
export interface Viewer {
  id: number
  username: string
  is_staff: boolean
  is_admin: boolean
  is_superuser: boolean
  is_email_verified: boolean
}

/** What stands against it, as a refusal says it; undefined when nothing does. */
export type WhyNot = ErrorCode | undefined

/** What a rule needs to know of a collection. */
export type CollectionFacts = StatusFacts & { username: string }

/** `is_claimed`: an approval has been claimed, even if its file is still being sealed. */
export type ReviewFacts = CollectionFacts & { is_claimed: boolean }

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
export function whyNotCreateCollection(viewer: Viewer): WhyNot {
  if (!isOrdinary(viewer)) return 'forbidden'
  return viewer.is_email_verified ? undefined : 'email_not_verified'
}

export function canCreateCollection(viewer: Viewer): boolean {
  return !whyNotCreateCollection(viewer)
}

/** Who has not verified their e-mail only reads (decisions, Roles). */
function whyNotAsOwner(viewer: Viewer, collection: CollectionFacts): WhyNot {
  if (!owns(viewer, collection)) return 'forbidden'
  return viewer.is_email_verified ? undefined : 'email_not_verified'
}

/** No Proof ID, not locked, the viewer's own and the viewer not a superuser (specification section 6). */
export function whyNotEditCollection(viewer: Viewer, collection: CollectionFacts): WhyNot {
  const why = whyNotAsOwner(viewer, collection)
  if (why) return why
  if (viewer.is_superuser) return 'forbidden'
  return collection.proofid || collection.is_locked ? 'collection_not_open' : undefined
}

/** Non-admin, non-staff owners: unlocked without Proof ID, or locked and inactive (specification section 6). */
export function whyNotDeleteCollection(viewer: Viewer, collection: CollectionFacts): WhyNot {
  const why = whyNotAsOwner(viewer, collection)
  if (why) return why
  if (viewer.is_admin || viewer.is_staff) return 'forbidden'
  const isDeletable = collection.is_locked ? !collection.is_active : !collection.proofid
  return isDeletable ? undefined : 'collection_not_deletable'
}

/** Specification section 5: not staff, not superuser, e-mail verified, collection not locked. */
export function whyNotSendCollection(viewer: Viewer, collection: CollectionFacts): WhyNot {
  const why = whyNotAsOwner(viewer, collection)
  if (why) return why
  if (!isOrdinary(viewer)) return 'forbidden'
  if (!collection.is_active) return 'collection_not_open'
  return isOpen(collection) ? undefined : 'collection_already_sent'
}

/** Adding, renaming, replacing and reordering files: ordinary owners while the collection is open. */
export function whyNotChangeContents(viewer: Viewer, collection: CollectionFacts): WhyNot {
  const why = whyNotCreateCollection(viewer)
  if (why) return why
  return owns(viewer, collection) && isOpen(collection) ? undefined : 'collection_not_open'
}

/** The owner while the collection is open; staff and superuser until an approval is claimed. */
export function whyNotDeleteContent(viewer: Viewer, collection: ReviewFacts): WhyNot {
  if (!viewer.is_email_verified) return 'email_not_verified'
  if (collection.is_claimed || collection.proofid) return 'content_locked'
  return isReviewer(viewer) || (owns(viewer, collection) && isOpen(collection)) ? undefined : 'content_locked'
}

/** Nobody reviews a collection of their own; reviewers need a verified e-mail too (decisions, Roles). */
export function whyNotReview(viewer: Viewer, collection: ReviewFacts): WhyNot {
  if (!isReviewer(viewer)) return 'forbidden'
  if (owns(viewer, collection)) return 'own_collection'
  return isReviewable(collection) && !collection.is_claimed ? undefined : 'collection_not_reviewable'
}

/** A superuser may withdraw an approval that is claimed but cannot be sealed. */
export function whyNotWithdrawApproval(viewer: Viewer, collection: ReviewFacts): WhyNot {
  if (!viewer.is_superuser) return 'forbidden'
  if (!viewer.is_email_verified) return 'email_not_verified'
  if (owns(viewer, collection)) return 'own_collection'
  return collection.is_claimed && !collection.proofid ? undefined : 'collection_not_reviewable'
}

/** What a rule needs to know of a certified proof. */
export interface ProofFacts {
  owner_id: number
  is_revoked: boolean
  has_collection: boolean
}

/** Staff and superuser, and nobody of a proof of their own: that would be reviewing oneself. */
function whyNotChangeProof(viewer: Viewer, proof: ProofFacts): WhyNot {
  if (!isReviewer(viewer)) return 'forbidden'
  return proof.owner_id === viewer.id ? 'own_collection' : undefined
}

/** Also once it has expired, or its collection was deleted: that it should never have been there may turn out later. */
export function whyNotRevokeProof(viewer: Viewer, proof: ProofFacts): WhyNot {
  return whyNotChangeProof(viewer, proof) ?? (proof.is_revoked ? 'proof_already_revoked' : undefined)
}

export function whyNotReinstateProof(viewer: Viewer, proof: ProofFacts): WhyNot {
  return whyNotChangeProof(viewer, proof) ?? (proof.is_revoked ? undefined : 'proof_not_revoked')
}

/** Also once it has expired; but what was deleted comes back by no change of its expiry. */
export function whyNotChangeProofExpiry(viewer: Viewer, proof: ProofFacts): WhyNot {
  const why = whyNotRevokeProof(viewer, proof)
  return why ?? (proof.has_collection ? undefined : 'proof_collection_deleted')
}

/** What reviewers noted beside its changes: not the owner, who may be one of them. */
export function canReadPrivateTexts(viewer: Viewer, proof: Pick<ProofFacts, 'owner_id'>): boolean {
  return isReviewer(viewer) && proof.owner_id !== viewer.id
}

/** All that one may do with a certified proof, as its answer says it. */
export function listProofRights(viewer: Viewer, proof: ProofFacts) {
  return {
    revoke: !whyNotRevokeProof(viewer, proof),
    reinstate: !whyNotReinstateProof(viewer, proof),
    change_expiry: !whyNotChangeProofExpiry(viewer, proof),
  }
}

/** Whoever sees a collection, once their e-mail is verified. */
export function whyNotComment(viewer: Viewer, collection: CollectionFacts): WhyNot {
  if (!canSeeCollection(viewer, collection)) return 'collection_not_found'
  return viewer.is_email_verified ? undefined : 'email_not_verified'
}

/** Own comments only, compared by user id (specification section 6). */
export function whyNotDeleteComment(viewer: Viewer, comment: { user: number }): WhyNot {
  if (viewer.id !== comment.user) return 'forbidden'
  return viewer.is_email_verified ? undefined : 'email_not_verified'
}

/** Descriptions saved for the next decision: every reviewer's own. */
export function whyNotSaveReasons(viewer: Viewer): WhyNot {
  return isReviewer(viewer) ? undefined : 'forbidden'
}

/** All that one may do with a collection, as its answer says it. */
export function listCollectionRights(viewer: Viewer, collection: ReviewFacts) {
  return {
    edit: !whyNotEditCollection(viewer, collection),
    delete: !whyNotDeleteCollection(viewer, collection),
    send: !whyNotSendCollection(viewer, collection),
    change_contents: !whyNotChangeContents(viewer, collection),
    delete_contents: !whyNotDeleteContent(viewer, collection),
    comment: !whyNotComment(viewer, collection),
    review: !whyNotReview(viewer, collection),
    withdraw: !whyNotWithdrawApproval(viewer, collection),
  }
}

/** All that one may do with one of its files, as its answer says it. */
export function listContentRights(viewer: Viewer, collection: ReviewFacts) {
  return { change: !whyNotChangeContents(viewer, collection), delete: !whyNotDeleteContent(viewer, collection) }
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
export function whyNotCreateTicket(viewer: Viewer | null): WhyNot {
  return viewer === null || isOrdinary(viewer) ? undefined : 'forbidden'
}

/** What a rule needs to know of a ticket. */
export interface TicketFacts {
  is_locked: boolean
  /** Who has taken it; null while nobody has who can still answer. */
  admin_username: string | null
  /** Whether the viewer is the one who asks. */
  is_own: boolean
}

/**
 * Who may add a message to a ticket they see: the asker; else reviewers and admins with a verified e-mail while nobody
 * else has taken it; a superuser always (decisions, Tickets). The others read 'Not Allowed'.
 * @param viewer Null for a visitor, who sees nothing but their own.
 */
export function whyNotSendMessage(viewer: Viewer | null, ticket: TicketFacts): WhyNot {
  if (!ticket.is_own) {
    if (viewer === null) return 'ticket_not_allowed'
    if (!seesAllTickets(viewer)) return viewer.is_email_verified ? 'ticket_not_allowed' : 'email_not_verified'
    const isFree = ticket.admin_username === null || ticket.admin_username === viewer.username
    if (!isFree && !viewer.is_superuser) return 'ticket_not_allowed'
  }
  return ticket.is_locked ? 'ticket_closed' : undefined
}

/** Closing and reopening: whoever took it, or a superuser. */
export function whyNotCloseTicket(viewer: Viewer | null, ticket: Pick<TicketFacts, 'admin_username'>): WhyNot {
  if (viewer === null || isOrdinary(viewer)) return 'forbidden'
  if (!viewer.is_email_verified) return 'email_not_verified'
  return viewer.is_superuser || ticket.admin_username === viewer.username ? undefined : 'ticket_not_allowed'
}

/** All that one may do with a ticket, as its answer says it. */
export function listTicketRights(viewer: Viewer | null, ticket: TicketFacts) {
  return { write: !whyNotSendMessage(viewer, ticket), close: !whyNotCloseTicket(viewer, ticket) }
}

/** Admins and superusers with a verified e-mail see all accounts (specification section 6; decisions, Roles). */
export function whyNotManageUsers(viewer: Pick<Viewer, 'is_admin' | 'is_superuser' | 'is_email_verified'>): WhyNot {
  if (!viewer.is_admin && !viewer.is_superuser) return 'forbidden'
  return viewer.is_email_verified ? undefined : 'email_not_verified'
}

export function canManageUsers(viewer: Viewer): boolean {
  return !whyNotManageUsers(viewer)
}

/** One person with their sessions, and ending those. */
export function whyNotSeePerson(viewer: Pick<Viewer, 'is_superuser' | 'is_email_verified'>): WhyNot {
  if (!viewer.is_superuser) return 'forbidden'
  return viewer.is_email_verified ? undefined : 'email_not_verified'
}

/**
 * Superusers, verified or not: whoever waits for their own verification mail must be able to find out why it does not
 * come.
 */
export function canSeeMail(viewer: Pick<Viewer, 'is_superuser'>): boolean {
  return viewer.is_superuser
}

/** How the installation is, names and titles of spoiled documents among it: superusers with a verified e-mail. */
export function canSeeHealth(viewer: Pick<Viewer, 'is_superuser' | 'is_email_verified'>): boolean {
  return viewer.is_superuser && viewer.is_email_verified
}

/** What everybody did: superusers with a verified e-mail. */
export function whyNotSeeAudit(viewer: Pick<Viewer, 'is_superuser' | 'is_email_verified'>): WhyNot {
  if (!viewer.is_superuser) return 'forbidden'
  return viewer.is_email_verified ? undefined : 'email_not_verified'
}

/** What a rule needs to know of an account. */
export type AccountFacts = Pick<Viewer, 'id' | 'is_superuser' | 'is_email_verified'> & {
  /** Empty once its person is erased. */
  email: string
}

/** Whether a change takes a right away, as opposed to giving one or saying how somebody signs in. */
export function takesRight(flag: SettableFlag, value: boolean): boolean {
  return !value && (flag === 'is_active' || flag === 'is_superuser' || flag === 'is_admin' || flag === 'is_staff')
}

/**
 * Superusers set every flag but the superuser's, which they only take away; of an unverified account they set
 * `is_email_verified`, and take any right away. Nobody takes away their own superuser or active flag, says that their own e-mail is not verified, or turns their own second step.
 * Admins set `is_staff` of verified accounts that are neither their own nor a superuser's (decisions, Roles). Like all
 * who change something, both need a verified e-mail. Of an erased account nobody sets anything.
 */
export function whyNotSetUserFlag(viewer: Viewer, account: AccountFacts, flag: SettableFlag, value: boolean): WhyNot {
  const why = whyNotManageUsers(viewer)
  if (why) return why
  if (account.email === '') return 'forbidden'
  const isOwn = viewer.id === account.id
  if (!viewer.is_superuser) {
    const isTheirs = flag === 'is_staff' && account.is_email_verified && !isOwn && !account.is_superuser
    return isTheirs ? undefined : 'forbidden'
  }
  // only there one has to sign in anew for it
  if (isOwn && flag === 'gfa_is_enabled') return 'own_account_two_factor'
  // without it no power is left, and nobody else may be there to give it back
  if (isOwn && flag === 'is_email_verified' && !value) return 'own_account_email'
  if (!takesRight(flag, value)) {
    if (flag === 'is_superuser') return 'forbidden'
    return account.is_email_verified || flag === 'is_email_verified' ? undefined : 'forbidden'
  }
  if (isOwn && flag === 'is_superuser') return 'own_account_superuser'
  return isOwn && flag === 'is_active' ? 'own_account_active' : undefined
}

/** Which flags of an account one may turn to their other value, as its answer says it. */
export function listUserRights(viewer: Viewer, account: AccountFacts & Record<SettableFlag, boolean>) {
  const mayTurn = (flag: SettableFlag) => !whyNotSetUserFlag(viewer, account, flag, !account[flag])
  return {
    is_active: mayTurn('is_active'),
    is_superuser: mayTurn('is_superuser'),
    is_admin: mayTurn('is_admin'),
    is_staff: mayTurn('is_staff'),
    is_email_verified: mayTurn('is_email_verified'),
    gfa_is_enabled: mayTurn('gfa_is_enabled'),
  }
}
