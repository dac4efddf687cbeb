/** Business constants of specification section 9 and of the decisions; units in the names. */

export const PASSWORD_MIN_LENGTH = 6
/** Longer ones would only keep the password hash busy. */
export const PASSWORD_MAX_LENGTH = 200
export const PASSWORD_SPECIAL_CHARACTERS = '!@#$%^&*'

export const USERNAME_MAX_LENGTH = 150
export const NAME_MAX_LENGTH = 150
export const EMAIL_MAX_LENGTH = 254
export const PHONE_MAX_LENGTH = 32

export const PAGE_SIZE = 10
export const NOTIFICATIONS_SHOWN = 20

export const COLLECTION_TITLE_MAX_LENGTH = 200
export const CONTENT_TITLE_MAX_LENGTH = 20
export const DESCRIPTION_MAX_LENGTH = 2000
/** What is noted for staff beside a change to a proof. */
export const PRIVATE_TEXT_MAX_LENGTH = 2000
/** Days before its expiry on which the owner of a proof is reminded, where the operator sets nothing else. */
export const DEFAULT_REMINDER_DAYS = [30, 7, 1]
/** Saved descriptions of one reviewer for one decision; beyond it the oldest goes. */
export const SAVED_REASONS_MAX = 20
export const COMMENT_MAX_LENGTH = 2000
export const SEARCH_MAX_LENGTH = 200
/** A search that finds more than so many says so instead of counting them, and shows so many. */
export const SEARCH_COUNT_MAX = 1000
export const FILE_NAME_MAX_LENGTH = 255

export const COLLECTION_MAX_FILES = 100
/** Stands on the ground floor, where certify finds it too. */
export { IMAGE_MAX_PIXELS } from '@proofdesk/proof/image-limit'
/** Six digits: far more than a collection ever counts up to. */
export const CONTENT_MAX_POSITION = 999_999
export const COLLECTION_MAX_BYTES = 200 * 1024 * 1024
export const COLLECTION_MAX_PAGES = 2000
/** Of these, pages of files that are kept as pictures: drawing and packing so many of noise takes a minute. */
export const COLLECTION_MAX_PICTURED_PAGES = 100
/** Uploads of one person under way at once; each page sends one at a time. */
export const UPLOADS_PER_USER = 6
export const COMMENTS_MAX_PER_COLLECTION = 500

export const TICKET_TITLE_MAX_LENGTH = 200
export const TICKET_MESSAGE_MAX_LENGTH = 2000
export const MESSAGES_MAX_PER_TICKET = 500
/** How long a visitor's cookie opens their tickets; anew from each ticket and mailed link. */
export const VISITOR_COOKIE_SECONDS = 90 * 24 * 60 * 60
/** How long a mailed link to a visitor's tickets works. */
export const TICKET_LINK_SECONDS = 24 * 60 * 60

/** How long a call that comes again with its Idempotency-Key is known, at least. */
export const IDEMPOTENCY_KEY_SECONDS = 24 * 60 * 60
export const IDEMPOTENCY_KEY_MAX_LENGTH = 64

export const ACCESS_TOKEN_SECONDS = 15 * 60
export const REFRESH_TOKEN_SECONDS = 30 * 24 * 60 * 60
/** For so long a traded refresh token may be traded again, as long as nobody has used what it was traded for. */
export const LOST_ANSWER_SECONDS = 30
export const VERIFICATION_LINK_SECONDS = 24 * 60 * 60
/** How long a link that has verified an address still says so. */
export const VERIFIED_LINK_SECONDS = 30 * 24 * 60 * 60
export const RESET_LINK_SECONDS = 60 * 60
/** How long a changed e-mail can be taken back from the old address. */
export const UNDO_EMAIL_SECONDS = 24 * 60 * 60
/** How old the sign-in of a session may be for what is sensitive (decisions, Accounts). */
export const CONFIRMED_SECONDS = 15 * 60

/** How long the person may take at an identity provider. */
export const PROVIDER_ATTEMPT_SECONDS = 10 * 60
/** How long the one-time code of the callback is good (decisions, Accounts). */
export const PROVIDER_CODE_SECONDS = 60
/** How long somebody whom a provider sent may take to show that an account here is theirs. */
export const PROVIDER_JOIN_SECONDS = 10 * 60
/** How long the mailed link that joins an account works. */
export const PROVIDER_JOIN_LINK_SECONDS = 60 * 60
/** How old an ID token may be (decisions, Accounts). */
export const ID_TOKEN_MAX_AGE_SECONDS = 5 * 60
export const ID_TOKEN_MAX_LENGTH = 16 * 1024

export const OTP_LENGTH = 6
export const OTP_PERIOD_SECONDS = 30
/** How long after the password step its challenge takes a code. */
export const CHALLENGE_SECONDS = 10 * 60
/** How long a code without a challenge may lean on the client address of the password step (decisions, Accounts). */
export const CHALLENGE_BY_ADDRESS_SECONDS = 5 * 60
/** So many wrong codes end a challenge. */
export const CHALLENGE_MAX_WRONG_CODES = 5
export const RECOVERY_CODE_COUNT = 10

/** How long an approving call waits for its sealed file before it answers 202 with `sealing`. */
export const APPROVAL_WAIT_MS = 10_000

/** The label beside the file field; the limit that counts is the operator's MAX_UPLOAD_MB. */
export const FILE_SIZE_LABEL_MB = 5
export const DEFAULT_MAX_UPLOAD_MB = 25

/** What one person may store, where the operator sets nothing else: 5 GB. */
export const DEFAULT_MAX_USER_MB = 5 * 1024
export const DEFAULT_MAX_USER_COLLECTIONS = 1000
/** Less room than this on the disk, and no upload is taken, so that all else goes on. */
export const DEFAULT_MIN_FREE_MB = 1024

/** Entries of the audit trail that are shown at once. */
export const AUDIT_PAGE_SIZE = 50
/** Steps of a timeline; of a longer one the newest. */
export const ACTIVITY_MAX_STEPS = 500
/** Seeing the same thing again within this time is not recorded anew. */
export const AUDIT_VIEW_ONCE_MS = 15 * 60 * 1000

/** Live streams one person may hold open at once (decisions, Notifications). */
export const EVENT_STREAMS_PER_USER = 5
/** How often a live stream looks whether its session still stands. */
export const EVENT_SESSION_CHECK_MS = 20_000
/** A live stream that is silent for longer is broken: something is sent this often even when nothing changes. */
export const EVENT_HEARTBEAT_MS = 15_000

/** So long somebody is told that a mail to them did not arrive. */
export const MAIL_REFUSAL_SHOWN_MS = 30 * 24 * 3600 * 1000

export const SUCCESS_BANNER_MS = 3000
export const SENT_DIALOG_MS = 3000
export const TOAST_MS = 5000
/** Success dialogs of the profile and of two-factor. */
export const PROFILE_DIALOG_MS = 1500
export const OBJECT_URL_REVOKE_MS = 1000
export const PANEL_HEIGHT_PX = 500

/** The description a collection carries until someone reviews it (specification section 3). */
export const DEFAULT_ADMIN_DESC = 'Admin Not approve yet'
