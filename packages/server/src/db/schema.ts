import type { DocumentState } from '@proofdesk/contract/collections'
import type { MailProblem } from '@proofdesk/contract/mail-delivery'
import type { NotificationType } from '@proofdesk/contract/notifications'
import type { RevocationReason } from '@proofdesk/contract/proof-verdict'
import type { Decision } from '@proofdesk/contract/reviews'
import type { Generated } from 'kysely'
import type { AuditEntryRow, AuditLinkRow, AuditViewRow, DecisionRow } from './audit-tables.ts'
import type { CollectionCountRow, ProofCountRow, TicketCountRow, UserCountRow } from './count-tables.ts'
import type { Flag } from './flag.ts'
import type { LimitCountRow } from './limit-tables.ts'
import type { LogTables } from './log-tables.ts'
import type { MadeOnceRow } from './made-once-table.ts'
import type { NodeRow } from './node-tables.ts'
import type {
  ErasingProofRow,
  FileProblemRow,
  ProofChangeRow,
  ReminderMarkRow,
  ToldReminderRow,
} from './proof-tables.ts'
import type { SignInTables } from './sign-in-tables.ts'
import type { SpoiledFileRow, StoredRoundRow } from './stored-file-tables.ts'
import type { SubmissionFileRow, SubmissionRow } from './submission-tables.ts'
import type {
  TicketLinkRow,
  TicketMessageRow,
  TicketReadRow,
  TicketRow,
  VisitorAddressRow,
  VisitorRow,
} from './ticket-tables.ts'

/** Every `*_at` and `expire_time` column: milliseconds since 1970-01-01 UTC. Ids: 1 to 2^53-1. */

export interface UserRow {
  id: Generated<number>
  username: string
  /** Case-folded; unique, and never free again. */
  username_key: string
  /** Equal for names that look alike; unique. Null for an old account whose look-alike is older still. */
  username_skeleton: string | null
  email: string
  /** As `toEmailKey` has it; unique. */
  email_key: string
  /** The last address a mailed link proved to be theirs; null before the first. */
  verified_email: string | null
  /** Where a password reset goes: the last verified address, before that the first one; never one that is only claimed. */
  recovery_email: string
  /** As `toEmailKey` has it; several accounts may share one. */
  recovery_email_key: string
  first_name: string
  last_name: string
  phone_number: string
  /** `YYYY-MM-DD`. */
  birthdate: string | null
  /** PHC string of argon2id; null for accounts that never had one. */
  password_hash: string | null
  is_active: Flag
  is_staff: Flag
  is_admin: Flag
  is_superuser: Flag
  is_email_verified: Flag
  gfa_is_enabled: Flag
  joined_at: number
  /** Null before the first. */
  last_sign_in_at: Generated<number | null>
  /** When a mail server last refused the present address for good; null where none did. */
  mail_refused_at: Generated<number | null>
  /** Its words, without addresses. */
  mail_refused_words: Generated<string | null>
}

export interface NotificationRow {
  id: Generated<number>
  user_id: number
  type: NotificationType
  path: string | null
  /** Of what it tells about, as it was then; null for those from before titles were kept. */
  title: string | null
  /** Name of the file it tells about, where it is about one. */
  file: string | null
  is_read: Flag
  created_at: number
}

export interface CollectionRow {
  id: Generated<number>
  owner_id: number
  title: string
  /** Case-folded title, for search and ordering. */
  title_key: string
  is_locked: Flag
  /** Printed form; set when an approval is published, never before. */
  proofid: string | null
  admin_desc: string
  /** Who decided last. */
  reviewer_id: number | null
  expire_time: number | null
  created_at: number
  submitted_at: number | null
  /** Raised by every change of title or contents and by sending; an approval only holds for the one it was built from. */
  revision: number
  /** The claimed approval, from Claim on; null while nobody has claimed one. */
  claim_id: number | null
  /** Counted along in the transactions that add and remove, so that one conditional update keeps each limit. */
  content_count: Generated<number>
  /** Sum over the contents, bytes. */
  content_bytes: Generated<number>
  content_pages: Generated<number>
  comment_count: Generated<number>
  /** Counts what was sent for review; 0 before anything was. */
  submission_number: Generated<number>
  /** Of the newest submission; null before anything was sent, and while that is prepared. What a decision is bound to. */
  digest: string | null
  /** Of the newest submission; kept with `digest`. */
  document_state: Generated<DocumentState>
  /** It is known to have expired: set some seconds after `expire_time`, which says exactly whether it has. */
  lapsed: Generated<Flag>
}

export interface ContentRow {
  id: Generated<number>
  collection_id: number
  title: string
  /** Case-folded title, for ordering. */
  title_key: string
  title_type: 'TYPE1' | 'TYPE2' | 'OTHER'
  type: 'PDF' | 'JPEG' | 'PNG'
  /** Where it stands among the files of its collection, lowest first; alike, the older comes first. */
  position: Generated<number>
  file_name: string
  blob_key: string
  size: number
  pages: number
  /** Readers show its pages in different ways: pictures of them are reviewed and certified. */
  is_pictured: Generated<Flag>
  /** SHA-256 of the bytes, hex. */
  sha256: string
  created_at: number
  /** What the browser called its upload: one of a collection has it once. Null for those that were sent without. */
  upload_id: Generated<string | null>
  /** missing: nobody has asked for one yet; pending: to be drawn; none: its first page cannot be drawn. */
  thumbnail_state: Generated<'missing' | 'pending' | 'ready' | 'none'>
  /** These three are null until it is ready. */
  thumbnail_key: string | null
  thumbnail_size: number | null
  thumbnail_sha256: string | null
}

export interface CommentRow {
  id: Generated<number>
  collection_id: number
  user_id: number
  text: string
  created_at: number
}

/** A description that a reviewer saved for the next decision. */
export interface SavedReasonRow {
  id: Generated<number>
  user_id: number
  decision: Decision
  text: string
  /** SHA-256, hex: what makes two texts the same where they are too long for an index. */
  text_hash: string
  saved_at: number
}

/** One approval, from Claim on. Outlives its collection: an expired proof stays known as expired. */
export interface ProofRow {
  id: Generated<number>
  proofid: string
  /** Null once the collection was deleted. */
  collection_id: number | null
  owner_id: number
  reviewer_id: number
  title: string
  /** Case-folded title, for ordering. */
  title_key: string
  username: string
  reviewer_username: string
  admin_desc: string
  approved_at: number
  /** As it was decided, and stands on the certificate. */
  expire_time: number | null
  /** 32 random bytes the Proof ID was drawn from, hex. */
  seed: string
  /** Null once it is published, since the sealed file begins with the same bytes, or withdrawn. */
  revision0_key: string | null
  revision0_sha256: string
  revision0_size: number
  /** JSON of what the sealing update needs to know of revision 0. */
  revision0_facts: string
  pages: number
  /** claimed: to be sealed; published: everybody may see it; withdrawn: never was published. */
  state: 'claimed' | 'published' | 'withdrawn'
  sealed_key: string | null
  sealed_sha256: string | null
  sealed_size: number | null
  /** Why the last try to seal failed, for reviewers to read; null while all is well. */
  problem: string | null
  published_at: number | null
  /** How it stands now, after all its changes; the newest of those says the same. Null for never. */
  current_expire_time: number | null
  revoked_at: Generated<number | null>
  revocation_reason: Generated<RevocationReason | null>
  change_count: Generated<number>
  /** Over what was claimed, by a key that is not in the database; null in rows from before there were any. */
  claim_mac: string | null
  /** The same over what was claimed and the sealed file. */
  seal_mac: string | null
}

/** What must happen after a commit: a kind and ids, never a token. */
export interface OutboxRow {
  id: Generated<number>
  kind: string
  /** JSON object of ids. */
  payload: string
  /** For whom it is done, where people take turns; else null. */
  asked_by: number | null
  /** Lower ones first; in one's own row of work each has the next. */
  turn: Generated<number>
  attempts: number
  due_at: number
  /** A worker holds the row until then. */
  held_until: number | null
  last_error: string | null
  /** What people may read of the last failure: words of a mail server, without addresses. */
  last_words: string | null
  created_at: number
  /** W3C Trace Context, of the request or work that asked for it; null where nothing is traced. */
  traceparent: Generated<string | null>
}

/** The newest mail that was delivered, and the newest that was given up. */
export interface MailEventRow {
  name: 'delivered' | 'given_up'
  at: number
  /** Mostly hidden; null for `delivered`, as all that follows. */
  recipient: string | null
  problem: MailProblem | null
  words: string | null
}

/** A mail that came back and was told of. */
export interface ToldReturnRow {
  /** SHA-256 (hex) of what the name of the mail says. */
  hash: string
  /** Reports about it are read until then. */
  expires_at: number
}

/** Blobs that are being written and that no row points at yet; swept when they grow old. */
export interface BlobIntentRow {
  key: string
  created_at: number
}

/** Facts of the installation: fingerprints of its keys and the like. */
export interface InstanceRow {
  name: string
  value: string
}

export interface Tables extends LogTables, SignInTables {
  users: UserRow
  notifications: NotificationRow
  collections: CollectionRow
  contents: ContentRow
  comments: CommentRow
  saved_reasons: SavedReasonRow
  submissions: SubmissionRow
  submission_files: SubmissionFileRow
  proofs: ProofRow
  proof_changes: ProofChangeRow
  erasing_proofs: ErasingProofRow
  reminder_marks: ReminderMarkRow
  told_reminders: ToldReminderRow
  file_problems: FileProblemRow
  outbox: OutboxRow
  mail_events: MailEventRow
  told_returns: ToldReturnRow
  blob_intents: BlobIntentRow
  instance: InstanceRow
  tickets: TicketRow
  ticket_messages: TicketMessageRow
  ticket_reads: TicketReadRow
  visitors: VisitorRow
  visitor_addresses: VisitorAddressRow
  ticket_links: TicketLinkRow
  audit_entries: AuditEntryRow
  audit_links: AuditLinkRow
  audit_views: AuditViewRow
  decisions: DecisionRow
  collection_counts: CollectionCountRow
  proof_counts: ProofCountRow
  ticket_counts: TicketCountRow
  user_counts: UserCountRow
  limit_counts: LimitCountRow
  stored_rounds: StoredRoundRow
  spoiled_files: SpoiledFileRow
  nodes: NodeRow
  made_once: MadeOnceRow
}
