import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { z } from 'zod'
import { confirmIdentity, updateProfile } from './account.ts'
import { AuditFilter } from './audit.ts'
import { logIn } from './auth.ts'
import { listServerContents } from './certificates.ts'
import { CollectionTitle, listCollections } from './collections.ts'
import { CommentText } from './comments.ts'
import { ContentFields, orderContents } from './contents.ts'
import { listUsers } from './directory.ts'
import { Email, exactText, GivenPassword, Id, Name, NewPassword, PhoneNumber, Token, Username } from './fields.ts'
import * as limits from './limits.ts'
import { changeProofExpiry, reinstateProof } from './proof-changes.ts'
import { logInWithIdToken } from './provider-login.ts'
import { Description, ExpireTime } from './reviews.ts'
import { listTickets, markTicketRead, TicketMessageText, TicketTitle } from './tickets.ts'
import { Otp, TypedCode } from './two-factor.ts'

test('9 the business constants are those of the specification and the decisions', () => {
  const [minute, hour, day] = [60, 60 * 60, 24 * 60 * 60]
  const MB = 1024 * 1024
  const due = {
    PASSWORD_MIN_LENGTH: 6,
    PASSWORD_MAX_LENGTH: 200,
    PASSWORD_SPECIAL_CHARACTERS: '!@#$%^&*',
    USERNAME_MAX_LENGTH: 150,
    NAME_MAX_LENGTH: 150,
    EMAIL_MAX_LENGTH: 254,
    PHONE_MAX_LENGTH: 32,
    PAGE_SIZE: 10,
    NOTIFICATIONS_SHOWN: 20,
    COLLECTION_TITLE_MAX_LENGTH: 200,
    CONTENT_TITLE_MAX_LENGTH: 20,
    DESCRIPTION_MAX_LENGTH: 2000,
    PRIVATE_TEXT_MAX_LENGTH: 2000,
    DEFAULT_REMINDER_DAYS: [30, 7, 1],
    SAVED_REASONS_MAX: 20,
    COMMENT_MAX_LENGTH: 2000,
    SEARCH_MAX_LENGTH: 200,
    SEARCH_COUNT_MAX: 1000,
    FILE_NAME_MAX_LENGTH: 255,
    COLLECTION_MAX_FILES: 100,
    IMAGE_MAX_PIXELS: 100_000_000,
    CONTENT_MAX_POSITION: 999_999,
    COLLECTION_MAX_BYTES: 200 * MB,
    COLLECTION_MAX_PAGES: 2000,
    COLLECTION_MAX_PICTURED_PAGES: 100,
    UPLOADS_PER_USER: 6,
    COMMENTS_MAX_PER_COLLECTION: 500,
    TICKET_TITLE_MAX_LENGTH: 200,
    TICKET_MESSAGE_MAX_LENGTH: 2000,
    MESSAGES_MAX_PER_TICKET: 500,
    VISITOR_COOKIE_SECONDS: 90 * day,
    TICKET_LINK_SECONDS: day,
    IDEMPOTENCY_KEY_SECONDS: day,
    IDEMPOTENCY_KEY_MAX_LENGTH: 64,
    ACCESS_TOKEN_SECONDS: 15 * minute,
    REFRESH_TOKEN_SECONDS: 30 * day,
    LOST_ANSWER_SECONDS: 30,
    VERIFICATION_LINK_SECONDS: day,
    VERIFIED_LINK_SECONDS: 30 * day,
    RESET_LINK_SECONDS: hour,
    UNDO_EMAIL_SECONDS: day,
    CONFIRMED_SECONDS: 15 * minute,
    PROVIDER_ATTEMPT_SECONDS: 10 * minute,
    PROVIDER_CODE_SECONDS: 60,
    PROVIDER_JOIN_SECONDS: 10 * minute,
    PROVIDER_JOIN_LINK_SECONDS: hour,
    ID_TOKEN_MAX_AGE_SECONDS: 5 * minute,
    ID_TOKEN_MAX_LENGTH: 16_384,
    OTP_LENGTH: 6,
    OTP_PERIOD_SECONDS: 30,
    CHALLENGE_SECONDS: 10 * minute,
    CHALLENGE_BY_ADDRESS_SECONDS: 5 * minute,
    CHALLENGE_MAX_WRONG_CODES: 5,
    RECOVERY_CODE_COUNT: 10,
    APPROVAL_WAIT_MS: 10_000,
    FILE_SIZE_LABEL_MB: 5,
    DEFAULT_MAX_UPLOAD_MB: 25,
    DEFAULT_MAX_USER_MB: 5120,
    DEFAULT_MAX_USER_COLLECTIONS: 1000,
    DEFAULT_MIN_FREE_MB: 1024,
    EVENT_STREAMS_PER_USER: 5,
    EVENT_SESSION_CHECK_MS: 20_000,
    EVENT_HEARTBEAT_MS: 15_000,
    AUDIT_PAGE_SIZE: 50,
    ACTIVITY_MAX_STEPS: 500,
    AUDIT_VIEW_ONCE_MS: 15 * minute * 1000,
    MAIL_REFUSAL_SHOWN_MS: 30 * day * 1000,
    SUCCESS_BANNER_MS: 3000,
    SENT_DIALOG_MS: 3000,
    TOAST_MS: 5000,
    PROFILE_DIALOG_MS: 1500,
    OBJECT_URL_REVOKE_MS: 1000,
    PANEL_HEIGHT_PX: 500,
    DEFAULT_ADMIN_DESC: 'Admin Not approve yet',
  }
  assert.deepEqual({ ...limits }, due)
})

const repeatLetter = (length: number) => 'a'.repeat(length)
const searchIn = (query: z.ZodType) => (search: string) => query.safeParse({ search })
/** Texts with the lengths they may have; `fill` makes one of a length. */
const TEXTS: [
  name: string,
  parse: (text: string) => { success: boolean; error?: z.ZodError | undefined },
  shortest: number,
  longest: number,
  messages: string[],
  fill?: (length: number) => string,
][] = [
  ['username', Username.safeParse, 1, 150, ['field_required', 'username_too_long']],
  ['name', Name.safeParse, 1, 150, ['field_required', 'name_too_long']],
  ['e-mail', Email.safeParse, 3, 254, ['email_invalid', 'email_invalid'], (n) => 'a@b'.slice(3 - n).padEnd(n, 'b')],
  ['phone number', PhoneNumber.safeParse, 1, 32, ['field_required', 'phone_invalid'], (n) => '1'.repeat(n)],
  ['new password', NewPassword.safeParse, 6, 200, ['password_rule', 'password_too_long'], (n) => 'A1!'.padEnd(n, 'a')],
  ['given password', GivenPassword.safeParse, 1, 200, ['field_required', 'password_too_long']],
  ['token', Token.safeParse, 1, 200, ['field_required', 'token_invalid']],
  ['collection title', CollectionTitle.safeParse, 1, 200, ['collection_title_required', 'collection_title_too_long']],
  ['comment', CommentText.safeParse, 1, 2000, ['comment_empty', 'comment_too_long']],
  ['description', Description.safeParse, 1, 2000, ['description_required', 'description_too_long']],
  ['ticket title', TicketTitle.safeParse, 1, 200, ['ticket_title_required', 'ticket_title_too_long']],
  ['ticket message', TicketMessageText.safeParse, 1, 2000, ['ticket_message_empty', 'ticket_message_too_long']],
  ['typed code', TypedCode.safeParse, 1, 64, ['field_required', 'two_factor_code_wrong']],
  [
    'name to sign in with',
    (username) => logIn.body.safeParse({ username, password: 'x' }),
    1,
    150,
    ['field_required', 'username_too_long'],
  ],
  ['ID token', (token) => logInWithIdToken.body.safeParse({ token }), 1, 16_384, ['field_required', 'token_invalid']],
  [
    'title of a file',
    (title) => ContentFields.safeParse({ title_type: 'OTHER', collection: '1', title }),
    1,
    20,
    ['content_title_required', 'content_title_too_long'],
  ],
  ['code of the app', Otp.safeParse, 6, 6, ['otp_malformed', 'otp_malformed'], (n) => '1'.repeat(n)],
  ['search in collections', searchIn(listCollections.query), 0, 200, ['search_too_long']],
  ['search in certified PDFs', searchIn(listServerContents.query), 0, 200, ['search_too_long']],
  ['search in users', searchIn(listUsers.query), 0, 200, ['search_too_long']],
  ['search in tickets', searchIn(listTickets.query), 0, 200, ['search_too_long']],
  ['person of the audit trail', (actor) => AuditFilter.safeParse({ actor }), 0, 200, ['search_too_long']],
  [
    'text noted beside a proof',
    (text) => reinstateProof.body.safeParse({ proofid: 'x', text }),
    0,
    2000,
    ['private_text_too_long'],
  ],
  [
    'excluded description',
    (text) => listCollections.query.safeParse({ exlude_admin_desc: text }),
    0,
    2000,
    ['description_too_long'],
  ],
]

for (const [name, parse, shortest, longest, messages, fill = repeatLetter] of TEXTS)
  test(`a ${name} has ${shortest} to ${longest} characters, and what is said of any other is right`, () => {
    for (const length of [shortest, longest]) assert.ok(parse(fill(length)).success, `${length}`)
    const said = (length: number) => parse(fill(length)).error?.issues.map(({ message }) => message)
    if (shortest > 0) assert.ok(said(shortest - 1)?.includes(messages[0]!), String(said(shortest - 1)))
    assert.deepEqual(said(longest + 1), [messages.at(-1)])
  })

test('a position has six digits at most, an expiry 40 characters', () => {
  const at = (position: string) => ContentFields.safeParse({ collection: '1', position })
  assert.equal(at('999999').data?.position, limits.CONTENT_MAX_POSITION)
  assert.equal(at('0').data?.position, 0)
  for (const position of ['1000000', '', '-1', '1.5', 'x']) assert.equal(at(position).success, false, position)
  const change = (text: string) => changeProofExpiry.body.safeParse({ proofid: 'x', expire_time: text })
  for (const parse of [ExpireTime.safeParse, change]) {
    assert.equal(parse(`2027-01-31T18:00Z${' '.repeat(23)}`).success, true)
    assert.equal(parse(`2027-01-31T18:00Z${' '.repeat(24)}`).success, false)
  }
})

test('an order names 1 to 100 files, each once', () => {
  const order = (contents: number[]) => orderContents.body.safeParse({ collection: 1, contents })
  const ids = Array.from({ length: 101 }, (_, i) => i + 1)
  for (const contents of [[1], [2, 1], ids.slice(0, 100)]) assert.equal(order(contents).success, true)
  for (const contents of [[], ids, [1, 1], [1, 2, 1]])
    assert.deepEqual(
      order(contents).error?.issues.map(({ message }) => message),
      ['content_order_invalid'],
    )
})

test('ids and counts in bodies are whole numbers in their bounds', () => {
  for (const id of [1, 2 ** 53 - 1]) assert.ok(Id.safeParse(id).success)
  for (const id of [0, -1, 1.5, 2 ** 53, '1', NaN])
    assert.equal(Id.safeParse(id).error?.issues[0]?.message, 'id_invalid')
  for (const id of [null, undefined]) assert.equal(Id.safeParse(id).error?.issues[0]?.message, 'field_required')
  const see = (seen: number) => markTicketRead.body.safeParse({ seen }).success
  assert.deepEqual([0, 500].map(see), [true, true])
  assert.deepEqual([-1, 501, 1.5].map(see), [false, false, false])
})

test('who they are is shown by a password or a provider, with a code or without', () => {
  const takes = (body: object) => confirmIdentity.body.safeParse(body).success
  for (const body of [{ password: 'x' }, { provider_code: 'x' }, { password: 'x', otp: '1' }]) assert.ok(takes(body))
  for (const body of [{}, { otp: '1' }, { password: '' }]) assert.ok(!takes(body), JSON.stringify(body))
})

test('of a profile any part may be changed alone, and all but the e-mail be emptied', () => {
  const change = (body: object) => updateProfile.body.safeParse(body).data
  assert.deepEqual(change({}), {})
  assert.deepEqual(change({ first_name: ' ', last_name: null, phone_number: '', birthdate: '' }), {
    first_name: null,
    last_name: null,
    phone_number: null,
    birthdate: null,
  })
  assert.deepEqual(change({ email: 'a@b', first_name: ' Ada ' }), { email: 'a@b', first_name: 'Ada' })
  for (const body of [{ email: '' }, { email: null }, { phone_number: 'x' }, { birthdate: '1' }, { first_name: 7 }])
    assert.equal(change(body), undefined, JSON.stringify(body))
})

test('text that is compared is left as it stands', () => {
  assert.equal(exactText.parse(' A '), ' A ')
  for (const text of ['a\u0000', '\ud800'])
    assert.equal(exactText.safeParse(text).error?.issues[0]?.message, 'text_malformed')
})
