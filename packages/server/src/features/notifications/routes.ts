import * as api from '@proofdesk/contract/notifications'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { handle } from '../../http/handle.ts'
import { readAllNotifications, readNotification, showNotifications } from './service.ts'

export function notificationRoutes(app: FastifyInstance, deps: Deps): void {
  handle(app, api.listNotifications, ({ viewer }) => showNotifications(deps, viewer))
  handle(app, api.markNotificationRead, ({ viewer, query }) => readNotification(deps, viewer, query.id))
  handle(app, api.markAllNotificationsRead, ({ viewer, body }) => readAllNotifications(deps, viewer, body.through))
}
