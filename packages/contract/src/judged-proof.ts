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

export const judgeProofForProgram = route({
  method: 'POST',
  path: '/service-content-servers/verdict/',
  summary:
    'Whether a proof is valid, revoked or expired, in one 200 for programs, with what its certificate says. 404 for no match; an outage or an altered record is an error and no verdict.',
  access: 'public',
  body: retrieveCertifiedPdf.query,
  response: JudgedProof,
  errors: ['proof_fields_missing', 'proof_not_found', 'proof_altered', 'rate_limited'],
})
