import * as api from '@proofdesk/contract/certificates'
import { issueReceipt, judgeProofForProgram } from '@proofdesk/contract/judged-proof'
import * as changes from '@proofdesk/contract/proof-changes'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { bind } from '../../http/bind.ts'
import { isForeignEmbedding } from '../../http/origin.ts'
import { PROOF_MISS_ADDRESS, PROOF_MISS_EMBEDDED } from './limits.ts'
import { changeProof } from './changes/change-proof.ts'
import { sendCertified } from './send-certified.ts'
import { listProofChanges, listServerContents, openServerContent, showServerContent } from './service.ts'
import { describeForStranger, findForStranger, judgeForProgram, receiptForStranger } from './verify.ts'

export function certificateRoutes(app: FastifyInstance, deps: Deps): void {
  bind(app, api.listServerContents, ({ viewer, query, request }) =>
    listServerContents(deps, viewer, query, request.url),
  )
  bind(app, api.showServerContent, ({ viewer, query }) => showServerContent(deps, viewer, query.collection_proofid))
  bind(app, api.serveServerContent, async ({ viewer, query, request, reply }) =>
    sendCertified(request, reply, deps, await openServerContent(deps, viewer, query.collection_proofid, request)),
  )
  bind(app, api.retrieveCertifiedPdf, async ({ query, request, reply }) => {
    const misses = isForeignEmbedding(request) ? PROOF_MISS_EMBEDDED : PROOF_MISS_ADDRESS
    return sendCertified(request, reply, deps, await findForStranger(deps, query, request.ip, misses))
  })
  bind(app, api.describeProof, ({ body, request }) => describeForStranger(deps, body, request.ip))
  bind(app, judgeProofForProgram, ({ body, request }) => judgeForProgram(deps, body, request.ip))
  bind(app, issueReceipt, ({ body, request }) => receiptForStranger(deps, body, request.ip))
  bind(app, changes.revokeProof, ({ viewer, body: { reason, ...given } }) =>
    changeProof(deps, viewer, given, { kind: 'revoke', reason }),
  )
  bind(app, changes.reinstateProof, ({ viewer, body }) => changeProof(deps, viewer, body, { kind: 'reinstate' }))
  bind(app, changes.changeProofExpiry, ({ viewer, body: { expire_time, ...given } }) =>
    changeProof(deps, viewer, given, { kind: 'extend', expire_time }),
  )
  bind(app, changes.listProofChanges, ({ viewer, query }) => listProofChanges(deps, viewer, query.collection_proofid))
}
