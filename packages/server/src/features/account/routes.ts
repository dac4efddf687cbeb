import * as api from '@proofdesk/contract/account'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { handle } from '../../http/handle.ts'
import { resendVerificationMail, showOwnInfo } from './service.ts'

export function accountRoutes(app: FastifyInstance, deps: Deps): void {
  handle(app, api.showUser, ({ viewer }) => showOwnInfo(deps, viewer))
  handle(app, api.resendVerification, ({ viewer }) => resendVerificationMail(deps, viewer))
}
