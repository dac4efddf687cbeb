import * as api from '@proofdesk/contract/mail'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { handle } from '../../http/handle.ts'
import { retryWaiting, showMailState, testMail } from './service.ts'

export function mailRoutes(app: FastifyInstance, deps: Deps): void {
  handle(app, api.showMail, ({ viewer }) => showMailState(deps, viewer))
  handle(app, api.sendTestMail, ({ viewer }) => testMail(deps, viewer))
  handle(app, api.retryMails, ({ viewer }) => retryWaiting(deps, viewer))
}
