import { showActivity as activityRoute } from '@proofdesk/contract/activity'
import * as api from '@proofdesk/contract/audit'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { bind } from '../../http/bind.ts'
import { writeDisposition } from '../../http/send-file.ts'
import { showActivity } from './activity.ts'
import { exportAudit } from './export.ts'
import { listAudit } from './service.ts'

export function auditRoutes(app: FastifyInstance, deps: Deps): void {
  bind(app, api.listAudit, ({ viewer, query, request }) => listAudit(deps, viewer, query, request.url))
  bind(app, api.exportAudit, async ({ viewer, query, reply }) => {
    const file = await exportAudit(deps, viewer, query)
    const day = new Date(deps.now()).toISOString().slice(0, 10)
    return reply
      .header('content-type', api.AUDIT_MEDIA_TYPES[query.format])
      .header('content-disposition', writeDisposition('attachment', `audit-${day}.${query.format}`))
      .header('cache-control', 'no-store')
      .send(file)
  })
  bind(app, activityRoute, ({ viewer, params }) => showActivity(deps, viewer, params.id))
}
