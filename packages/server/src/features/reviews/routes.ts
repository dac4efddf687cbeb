import * as api from '@proofdesk/contract/reviews'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { handle } from '../../http/handle.ts'
import { showReviewQueue } from './queue.ts'
import { deleteReason, listReasons, saveReason } from './reasons.ts'
import { approveCollection, rejectCollection, withdrawApproval } from './service.ts'

export function reviewRoutes(app: FastifyInstance, deps: Deps): void {
  handle(app, api.approveCollection, async ({ viewer, params, body, reply }) => {
    const { collection, isPublished } = await approveCollection(deps, viewer, params.id, body)
    // Accepted and on its way; `sealing` says since when.
    reply.code(isPublished ? 200 : 202)
    return collection
  })
  handle(app, api.showReviewQueue, ({ viewer, query }) => showReviewQueue(deps, viewer, query.collection))
  handle(app, api.rejectCollection, ({ viewer, params, body }) => rejectCollection(deps, viewer, params.id, body))
  handle(app, api.withdrawApproval, ({ viewer, params, body }) => withdrawApproval(deps, viewer, params.id, body))
  handle(app, api.listReasons, ({ viewer }) => listReasons(deps, viewer))
  handle(app, api.saveReason, ({ viewer, body }) => saveReason(deps, viewer, body))
  handle(app, api.deleteReason, ({ viewer, params }) => deleteReason(deps, viewer, params.id))
}
