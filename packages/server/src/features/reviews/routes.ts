import * as api from '@proofdesk/contract/reviews'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { bind } from '../../http/bind.ts'
import { listOwnDecisions } from './own-decisions.ts'
import { showReviewQueue } from './queue.ts'
import { deleteReason, listReasons, saveReason } from './reasons.ts'
import { approveCollection, rejectCollection, withdrawApproval } from './service.ts'

export function reviewRoutes(app: FastifyInstance, deps: Deps): void {
  bind(app, api.approveCollection, async ({ viewer, params, body, reply }) => {
    const { collection, isPublished } = await approveCollection(deps, viewer, params.id, body)
    // Accepted and on its way; `sealing` says since when.
    reply.code(isPublished ? 200 : 202)
    return collection
  })
  bind(app, api.showReviewQueue, ({ viewer, query }) => showReviewQueue(deps, viewer, query.collection))
  bind(app, api.listOwnDecisions, ({ viewer, query, request }) =>
    listOwnDecisions(deps, viewer, query.page, request.url),
  )
  bind(app, api.rejectCollection, ({ viewer, params, body }) => rejectCollection(deps, viewer, params.id, body))
  bind(app, api.withdrawApproval, ({ viewer, params, body }) => withdrawApproval(deps, viewer, params.id, body))
  bind(app, api.listReasons, ({ viewer }) => listReasons(deps, viewer))
  bind(app, api.saveReason, ({ viewer, body }) => saveReason(deps, viewer, body))
  bind(app, api.deleteReason, ({ viewer, params }) => deleteReason(deps, viewer, params.id))
}
