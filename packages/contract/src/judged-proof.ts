import { z } from 'zod'
import { ProofDetails, retrieveCertifiedPdf } from './certificates.ts'
import { Time } from './fields.ts'
import { ProofVerdict, RevocationReason } from './proof-verdict.ts'
import { route } from './route.ts'

// For programs: apart from what the screens load.

export const JudgedProof = ProofDetails.extend({
  verdict: ProofVerdict,
  expire_time: Time.nullable().describe('Until when it holds, or held; null: it does not expire.'),
  revoked_at: Time.nullable().describe('Null unless the verdict is `revoked`.'),
  reason: RevocationReason.nullable().describe('Why it was revoked.'),
})
export type JudgedProof = z.infer<typeof JudgedProof>

export const SignedReceipt = z.object({
  receipt: z
    .string()
    .describe('A signed note (c2sp.org/signed-note), to be kept as it is; `npm run verify -- --receipt` reads it.'),
})

export const issueReceipt = route({
  method: 'POST',
  path: '/service-content-servers/receipt/',
  summary:
    'A signed receipt of the verdict on a proof: which document, what was found, when, and under which head of the log. 404 for no match, as above.',
  access: 'public',
  body: retrieveCertifiedPdf.query,
  response: SignedReceipt,
  errors: ['proof_fields_missing', 'proof_not_found', 'proof_altered', 'rate_limited', 'log_behind'],
})

export const judgeProofForProgram = route({
  method: 'POST',
  path: '/service-content-servers/verdict/',
  summary:
    'Whether a proof is valid, revoked or expired, in one 200 for programs, with what its certificate says. 404 for no match; an outage or an altered record is an error and no verdict.',
  access: 'public',
  body: retrieveCertifiedPdf.query,
  response: JudgedProof,
  errors: ['proof_fields_missing', 'proof_not_found', 'proof_altered', 'rate_limited', 'log_behind'],
})
