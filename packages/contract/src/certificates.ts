import { z } from 'zod'
import { DEMANDED, exactText, Id, say, Time } from './fields.ts'
import { SEARCH_MAX_LENGTH } from './limits.ts'
import { OrderingQuery, PageQuery, searchPageOf } from './paging.ts'
import { RevocationReason } from './proof-verdict.ts'
import { route } from './route.ts'

export const PROOF_ID = {
  description: 'As printed; case, spaces and dashes do not matter.',
  examples: ['7ZQK-3M9D-XW2C-VB4T-8'],
}

/** To look something up by, of any length: what no proof has is answered as unknown (404), not as malformed. */
const GivenProofId = z.string().meta(PROOF_ID)

export const ServerContent = z.object({
  collection_proofid: z.string(),
  collection_title: z.string(),
  pdf_file: z.string().describe('Path of the call that serves it.'),
  user: z.string().describe('Username of the owner.'),
  staff_username: z.string(),
  created_at: Time,
  is_active: z.boolean().describe('It is in force: neither expired nor revoked.'),
  collection: Id.nullable().describe('Id of the collection it was made from; null once that was deleted.'),
  expire_time: Time.nullable().describe('Null when it never expires.'),
  revoked_at: Time.nullable().describe('Null while it is not revoked.'),
  revocation_reason: RevocationReason.nullable().describe('Null while it is not revoked.'),
  change_count: z.int().min(0).describe('How often it was revoked, reinstated or given another expiry.'),
  may: z
    .object({
      revoke: z.boolean(),
      reinstate: z.boolean().describe('Undoing a revocation.'),
      change_expiry: z.boolean(),
    })
    .describe('What the caller may do with it now.'),
})
export type ServerContent = z.infer<typeof ServerContent>

export const listServerContents = route({
  method: 'GET',
  path: '/content-servers/',
  summary: 'Certified PDFs: one’s own, or everyone’s for staff and superuser; newest first, ten a page.',
  access: 'bearer',
  query: z.object({
    page: PageQuery,
    search: exactText
      .max(SEARCH_MAX_LENGTH, say('search_too_long'))
      .meta({
        description: 'Part of a title or Proof ID, or of a username for those who see everyone’s.',
        examples: ['degree'],
      })
      .optional(),
    ordering: OrderingQuery(['created_at', 'title']),
  }),
  response: searchPageOf(ServerContent),
  errors: ['page_not_found', 'read_timed_out'],
})

export const showServerContent = route({
  method: 'GET',
  path: '/content-servers/show/',
  summary: 'One entry of the list by its Proof ID, for those who see it there.',
  access: 'bearer',
  query: z.object({ collection_proofid: GivenProofId }),
  response: ServerContent,
  errors: ['proof_not_found'],
})

export const serveServerContent = route({
  method: 'GET',
  path: '/content-servers/serve/',
  summary: 'One certified PDF by its Proof ID, for those who see it in the list.',
  access: 'bearer',
  query: z.object({ collection_proofid: GivenProofId }),
  errors: ['proof_not_found', 'proof_altered', 'file_altered', 'file_missing', 'storage_unavailable'],
  file: ['application/pdf'],
})

/** What whoever gives a Proof ID and a username may be refused for. */
const LOOK_UP_ERRORS = [
  'proof_fields_missing',
  'proof_not_found',
  'proof_revoked',
  'proof_expired',
  'proof_altered',
  'rate_limited',
  'log_behind',
] as const

/**
 * Missing fields are 400 and no match is 404 in the specification's words, so both are read leniently here and judged
 * by the service.
 */
export const retrieveCertifiedPdf = route({
  method: 'GET',
  path: '/service-content-servers/get-pdfs/',
  summary:
    'The certified PDF for whoever holds its Proof ID and username. 400 for a missing field, 404 for no match, 410 once expired or revoked: then with `expire_time`, or `revoked_at` and `reason`.',
  access: 'public',
  query: z.object({
    proofid: GivenProofId.optional().meta(DEMANDED),
    username: z
      .string()
      .optional()
      .meta({ examples: ['ada'], ...DEMANDED }),
  }),
  errors: [...LOOK_UP_ERRORS, 'file_altered', 'file_missing', 'storage_unavailable'],
  file: ['application/pdf'],
})

export const ProofDetails = z.object({
  proofid: z.string().describe('As printed.').meta({ examples: PROOF_ID.examples }),
  title: z.string(),
  username: z.string().describe('Of the owner, as it stands on the certificate.'),
  issued_at: Time,
  expire_time: Time.nullable().describe('Null: it does not expire.'),
  issuer: z.string().describe('The organisation that runs this installation, by its name when it was approved.'),
  reviewer: z.string().describe('Username of who approved it.'),
  reviewer_organisation: z.string(),
  files: z.array(
    z.object({
      title: z.string(),
      file_name: z.string(),
      type: z.enum(['PDF', 'JPEG', 'PNG']),
      size: z.number().describe('Bytes of the original.'),
      sha256: z.string().describe('Of the original, 64 hexadecimal digits.'),
    }),
  ),
})
export type ProofDetails = z.infer<typeof ProofDetails>

/** The fields travel in the body, so that no server on the way writes them into a log. */
export const describeProof = route({
  method: 'POST',
  path: '/service-content-servers/details/',
  summary:
    'What the certificate says, for whoever holds its Proof ID and username. Refusals are those of the call for its PDF.',
  access: 'public',
  body: retrieveCertifiedPdf.query,
  response: ProofDetails,
  errors: LOOK_UP_ERRORS,
})

/** Every download of a certified PDF carries this name. */
export function certifiedFileName(username: string): string {
  return `content_${username}.pdf`
}
