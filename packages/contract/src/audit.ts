import { z } from 'zod'
import { AUDIT_ACTIONS, AUDIT_OBJECTS } from './audit-actions.ts'
import { exactText, Id, IdQuery, say, Time } from './fields.ts'
import { SEARCH_MAX_LENGTH } from './limits.ts'
import { route } from './route.ts'

export const AuditActionName = z.enum(AUDIT_ACTIONS, { error: say('audit_action_unknown') })
const AuditObject = z.enum(AUDIT_OBJECTS, { error: say('audit_object_unknown') })

/** One thing that somebody did. */
export const AuditEntry = z.object({
  id: Id,
  at: Time,
  actor: z
    .object({ id: Id, username: z.string() })
    .nullable()
    .describe('Who did it; null for strangers, for the shell and for the house itself.'),
  action: AuditActionName,
  object: z
    .object({ kind: AuditObject, id: Id.nullable(), name: z.string().nullable() })
    .describe('What it was done to, with the name it has now; null once it is gone.'),
  collection: Id.nullable().describe('The collection it concerns.'),
  details: z.object({}).catchall(z.union([z.string(), z.number(), z.boolean()])),
  network: z
    .string()
    .nullable()
    .describe('A keyed hash of the client’s network (/24 of IPv4, /48 of IPv6): alike for what came from one place.'),
  link: Id.nullable().describe('Which link of the chain holds it; null while none does.'),
})
export type AuditEntry = z.infer<typeof AuditEntry>

/** How far the chain reaches. */
export const AuditChain = z.object({
  link: Id.nullable().describe('The newest link; null before the first.'),
  at: Time.nullable(),
  hash: z.string().nullable().describe('Note it elsewhere: it shows later whether the end of the chain was cut off.'),
  waiting: z.int().min(0).describe('Entries that it has not reached yet.'),
})
export type AuditChain = z.infer<typeof AuditChain>

/** A moment in a query, with Z or an offset; anything else is 400. */
const TimeQuery = z.iso
  .datetime({ offset: true, error: say('time_invalid') })
  .transform((text) => Date.parse(text))
  .meta({ format: 'date-time', pattern: undefined, examples: ['2027-01-31T18:00:00Z'] })

export const AuditFilter = z.object({
  actor: exactText
    .max(SEARCH_MAX_LENGTH, say('search_too_long'))
    .meta({ description: 'A username, whole.', examples: ['sam'] })
    .optional(),
  action: AuditActionName.optional(),
  object: AuditObject.optional(),
  object_id: IdQuery.optional(),
  collection: IdQuery.optional(),
  from: TimeQuery.optional(),
  to: TimeQuery.optional(),
})
export type AuditFilter = z.output<typeof AuditFilter>

export const listAudit = route({
  method: 'GET',
  path: '/audit/',
  summary: 'What people did, newest first, fifty at a time; for superusers. `next` leads on to what is older.',
  access: 'bearer',
  query: AuditFilter.extend({
    before: IdQuery.meta({ description: 'Only entries with a lower id.', examples: ['51'] }).optional(),
  }),
  response: z.object({ next: z.string().nullable(), results: z.array(AuditEntry), chain: AuditChain }),
  errors: ['email_not_verified', 'forbidden', 'read_timed_out'],
})

export const AuditExportFormat = z.enum(['csv', 'json'], { error: say('audit_format_unknown') })
export type AuditExportFormat = z.infer<typeof AuditExportFormat>

export const AUDIT_MEDIA_TYPES = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' } as const

export const exportAudit = route({
  method: 'GET',
  path: '/audit/export/',
  summary: 'The same entries all at once, oldest first, as a file; with the hash that the chain has for each.',
  access: 'bearer',
  query: AuditFilter.extend({ format: AuditExportFormat }),
  download: ['text/csv', 'application/json'],
  errors: ['email_not_verified', 'forbidden'],
})
