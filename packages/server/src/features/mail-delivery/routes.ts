import * as api from '@proofdesk/contract/mail-delivery'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { bind } from '../../http/bind.ts'
import { lookUpRecords, retryWaiting, showMailState, testMail } from './service.ts'

export function mailDeliveryRoutes(app: FastifyInstance, deps: Deps): void {
  bind(app, api.showMail, ({ viewer }) => showMailState(deps, viewer))
  bind(app, api.sendTestMail, ({ viewer }) => testMail(deps, viewer))
  bind(app, api.checkMailRecords, ({ viewer }) => lookUpRecords(deps, viewer))
  bind(app, api.retryMails, ({ viewer }) => retryWaiting(deps, viewer))
}
