import * as api from '@proofdesk/contract/notifications'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { bind } from '../../http/bind.ts'
import { readAllNotifications, readNotification, showNotifications } from './service.ts'

export function notificationRoutes(app: FastifyInstance, deps: Deps): void {
  bind(app, api.listNotifications, ({ viewer }) => showNotifications(deps, viewer))
  bind(app, api.markNotificationRead, ({ viewer, query }) => readNotification(deps, viewer, query.id))
  bind(app, api.markAllNotificationsRead, ({ viewer, body }) => readAllNotifications(deps, viewer, body.through))
}
