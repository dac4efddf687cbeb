import { z } from 'zod'
import { Id, Time } from './fields.ts'
import { route } from './route.ts'

/** What a mail is about; the kinds of waiting work that are mails. */
export const MailKind = z.enum([
  'verification_mail',
  'reset_mail',
  'security_mail',
  'email_changed_mail',
  'provider_join_mail',
  'approval_mail',
  'rejection_mail',
  'proof_change_mail',
  'reminder_mail',
  'ticket_answer_mail',
  'ticket_link_mail',
])
export type MailKind = z.infer<typeof MailKind>

/** What went wrong, as far as it can be told apart. */
export const MailProblem = z.enum([
  'unreachable',
  'name_unknown',
  'timed_out',
  'not_encrypted',
  'sign_in_refused',
  'address_refused',
  'came_back',
  'message_refused',
  'not_understood',
  'folder_failed',
  'other',
])
export type MailProblem = z.infer<typeof MailProblem>

const problem = {
  problem: MailProblem,
  words: z
    .string()
    .nullable()
    .describe('What the mail server said, without addresses; null where it said nothing.')
    .meta({ examples: ['450 4.7.1 Greylisted, try again later'] }),
}

/** A mail that failed at least once and will be tried again. */
export const FailingMail = z.object({
  id: Id,
  kind: MailKind,
  recipient: z.string().nullable().describe('Username, or a visitor’s address with most of it hidden; null when gone.'),
  created_at: Time,
  attempts: z.int().min(1),
  next_try_at: Time,
  ...problem,
})
export type FailingMail = z.infer<typeof FailingMail>

/** The last mail that the mail server refused for good; it is not tried again. */
export const GivenUpMail = z.object({ at: Time, recipient: z.string(), ...problem })

export const MailState = z.object({
  way: z.enum(['smtp', 'folder']),
  place: z.string().describe('The mail server without user and password, or the folder.'),
  sender: z.string(),
  waiting: z.int().min(0).describe('Mails that are not delivered yet, the failing ones among them.'),
  failing: z.int().min(0),
  failures: z.array(FailingMail).describe('Those that fail, longest waiting first, at most 20.'),
  last_delivered_at: Time.nullable(),
  last_given_up: GivenUpMail.nullable(),
})
export type MailState = z.infer<typeof MailState>

/** What became of a test mail; null as problem when it was delivered. */
export const MailTest = z.object({
  recipient: z.string(),
  is_delivered: z.boolean(),
  ...problem,
  problem: MailProblem.nullable(),
})
export type MailTest = z.infer<typeof MailTest>

/** What is to be thought of a record that tells receivers whose a mail is. */
export const MailRecordVerdict = z.enum([
  'fits',
  'asks_nothing',
  'missing',
  'several',
  'malformed',
  'says_nothing',
  'allows_all',
  'too_many_lookups',
  'not_signed',
  'other_domain',
  'other_key',
  'withdrawn',
  'test_only',
  'no_domain',
  'silent',
])
export type MailRecordVerdict = z.infer<typeof MailRecordVerdict>

/** One of the three records in the DNS by which receivers tell whose a mail is. */
export const MailRecord = z.object({
  kind: z.enum(['spf', 'dkim', 'dmarc']),
  name: z.string().describe('Where it stands, or should.'),
  found: z.array(z.string()).describe('What stands there, in printable letters, at most ten.'),
  verdict: MailRecordVerdict,
  publish: z
    .string()
    .nullable()
    .describe(
      'The line of a zone file that would fit; null where nothing needs to be changed, or only by who knows what else sends by it.',
    ),
})
export type MailRecord = z.infer<typeof MailRecord>

/** A policy that asks for nothing is a beginning, and harms no mail. */
export function isSoundRecord({ verdict }: Pick<MailRecord, 'verdict'>): boolean {
  return verdict === 'fits' || verdict === 'asks_nothing'
}

export const showMail = route({
  method: 'GET',
  path: '/mail/',
  summary: 'How mail goes out, what waits and what keeps failing; for superusers.',
  access: 'bearer',
  response: MailState,
  errors: ['forbidden'],
})

export const sendTestMail = route({
  method: 'POST',
  path: '/mail/test/',
  summary:
    'Sends a test mail to the caller’s own address, past the queue, and says within about ten seconds what became of it. Once one is delivered, waiting mails are tried at once.',
  access: 'bearer',
  body: z.object({}).optional(),
  response: MailTest,
  errors: ['forbidden', 'rate_limited'],
})

export const retryMails = route({
  method: 'POST',
  path: '/mail/retry/',
  summary: 'Tries all waiting mails at once instead of at their next time.',
  access: 'bearer',
  body: z.object({}).optional(),
  response: z.object({ count: z.int().min(0).describe('How many were brought forward.') }),
  errors: ['forbidden', 'rate_limited'],
})

export const checkMailRecords = route({
  method: 'GET',
  path: '/mail/records/',
  summary:
    'Looks up the SPF, DKIM and DMARC records of the sender’s domain and says whether they fit; for superusers. Takes up to twenty seconds where name servers are silent.',
  access: 'bearer',
  response: z.object({ records: z.array(MailRecord) }),
  errors: ['forbidden', 'rate_limited'],
})
