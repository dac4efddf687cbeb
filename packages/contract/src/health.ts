import { z } from 'zod'
import { Id, Time } from './fields.ts'
import { route } from './route.ts'

/** `well`: nothing to do. `watch`: it works, and something waits for the operator. `broken`: it does not work. */
export const PartState = z.enum(['well', 'watch', 'broken'])
export type PartState = z.infer<typeof PartState>

const count = z.int().min(0)
const state = PartState

/**
 * A database that takes longer to answer, or whose clock is further off, is to be watched, in ms. Clocks that far apart make
 * codes of the second factor fail, and times contradict each other.
 */
export const DATABASE_LIMITS = { answer: 1000, clock: 5000 }

/** A stored file that was not as it was stored, or not what was approved, when it was looked at last. */
export const FileProblem = z.object({
  what: z.enum(['certified', 'original', 'review_document']),
  proof_id: Id.nullable().describe('Of a certified PDF.'),
  collection_id: Id.nullable().describe('Null where it was deleted since.'),
  title: z.string().describe('Of the proof, or of the collection.'),
  username: z.string(),
  found_at: Time,
  told: z
    .string()
    .describe(
      'Of a certified PDF: verdict and failed steps of the public verifier, or that there is no file; of others: missing, altered or unreadable.',
    ),
})
export type FileProblem = z.infer<typeof FileProblem>

/** So many days before a certificate ends it is to be watched, and is urgent. */
export const CERTIFICATE_DAYS = { watch: 90, urgent: 30 }

/** A certificate of this installation, without its key. */
export const IssuingCertificate = z.object({
  what: z.enum(['authority', 'document_signing']),
  subject: z.string(),
  begins_at: Time,
  ends_at: Time,
})
export type IssuingCertificate = z.infer<typeof IssuingCertificate>

/** A file of `KEYS_DIR`, without what is in it. */
export const KeyFile = z.object({
  what: z.enum(['authority', 'document_signing', 'log', 'secrets', 'paper', 'witness']),
  written_at: Time.nullable().describe(
    'By the file itself, so a restored one is as old as its restore; null when it is gone.',
  ),
})
export type KeyFile = z.infer<typeof KeyFile>

/** Whoever else signs the heads of the log. */
export const AskedWitness = z.object({
  name: z.string(),
  signed_at: Time.nullable().describe('What it signed last, by its clock.'),
  refusal: z
    .enum(['unreachable', 'slow', 'too_long', 'malformed', 'refused', 'ahead', 'wrong_signature', 'wrong_time'])
    .nullable()
    .describe('Why it did not sign when the answering process asked it last.'),
})
export type AskedWitness = z.infer<typeof AskedWitness>

/** What the changelog says is to be looked at when a version is taken. */
export const ReleaseNotes = z.object({ version: z.string(), items: z.array(z.string()) })

/** How each part of this installation is, as of the call. */
export const HealthReport = z.object({
  version: z.string(),
  started_at: Time,
  now: Time.describe('By the clock of this server.'),
  database: z.object({
    state,
    engine: z.enum(['sqlite', 'postgres']),
    answered_in_ms: count.nullable().describe('Null when it did not answer.'),
    clock_ahead_ms: z
      .int()
      .nullable()
      .describe('How far its clock is ahead of the server’s; null where it has none of its own.'),
  }),
  storage: z.object({ state, free_bytes: count.nullable(), least_free_bytes: count }),
  work: z.object({
    state,
    waiting: count.describe('All work that follows commits: mails, preparing, sealing, removing files.'),
    failing: count.describe('What has failed at least once among it.'),
    oldest_due_at: Time.nullable().describe('Since when the longest waiting could have been done.'),
  }),
  mail: z.object({ state, way: z.enum(['smtp', 'folder']), waiting: count, failing: count }),
  log: z.object({
    state,
    size: count,
    signed_size: count,
    signed_at: Time.nullable(),
    unsigned_since: Time.nullable(),
  }),
  audit: z.object({
    state,
    waiting_since: Time.nullable().describe('Of the oldest entry of the audit trail that is in no link of its chain.'),
  }),
  files: z.object({
    state,
    judged_at: Time.nullable().describe('When the last whole round through all stored files ended.'),
    problems: z.array(FileProblem).describe('At most 20, the newest first.'),
    problem_count: count,
  }),
  antivirus: z.object({
    state,
    is_set: z.boolean().describe('Whether uploads are scanned.'),
    version: z.string().nullable().describe('Null when the scanner does not answer, or none is set.'),
    signatures_at: Time.nullable().describe('When its official signatures were made; null where it has none.'),
  }),
  backup: z.object({
    state,
    is_set: z.boolean().describe('Whether one is made each day.'),
    due_since: Time.nullable().describe('Since when the server knows that; null where none is made.'),
    saved_at: Time.nullable(),
    drilled_at: Time.nullable().describe('When a restore of one was drilled, and went well.'),
    problem: z.string().nullable().describe('What the last backup or drill complained of.'),
  }),
  outside_time: z
    .object({
      state,
      is_set: z
        .boolean()
        .describe('Whether witnesses are asked. No time-stamping authority (RFC 3161) is, by this version.'),
      witnesses: z.array(AskedWitness),
      witnessed_size: count.describe('Entries of the log under the newest head that enough witnesses signed.'),
      witnessed_at: Time.nullable().describe('When that head was signed by us.'),
      waiting: count.describe('Entries that no such head holds yet.'),
      waiting_since: Time.nullable(),
    })
    .describe('Who outside vouches for times.'),
  keys: z.object({
    state,
    certificates: z.array(IssuingCertificate).describe('Empty when they cannot be read.'),
    files: z.array(KeyFile),
  }),
  release: z.object({
    state,
    since: Time.nullable().describe('When this version was started first on this database.'),
    before: z.string().nullable().describe('The version that ran before; null when none is known.'),
    nodes: z
      .array(z.object({ version: z.string(), count }))
      .describe('Processes that serve, by their versions, the answering one among them.'),
    notes: z.array(ReleaseNotes).describe('Since the version that ran before, the newest first; English.'),
  }),
})
export type HealthReport = z.infer<typeof HealthReport>

export const showHealth = route({
  method: 'GET',
  path: '/health/',
  summary:
    'How database, storage, waiting work, mail, log, stored files, virus scanner, backups, times vouched for, keys and versions are; for superusers.',
  access: 'bearer',
  response: HealthReport,
  errors: ['forbidden', 'read_timed_out'],
})
