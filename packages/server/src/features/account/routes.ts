import * as api from '@proofdesk/contract/account'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { handle, handlePublic } from '../../http/handle.ts'
import { changeOwnPassword } from './change-password.ts'
import { changeProfile, showOwnProfile } from './profile.ts'
import { requestPasswordReset, setPasswordByLink } from './reset-password.ts'
import { resendVerificationMail, showOwnInfo } from './service.ts'

export function accountRoutes(app: FastifyInstance, deps: Deps): void {
  handle(app, api.showUser, ({ viewer }) => showOwnInfo(deps, viewer))
  handle(app, api.resendVerification, ({ viewer }) => resendVerificationMail(deps, viewer))
  handle(app, api.showProfile, ({ viewer }) => showOwnProfile(deps, viewer))
  handle(app, api.updateProfile, ({ viewer, body }) => changeProfile(deps, viewer, body))
  handle(app, api.changePassword, ({ viewer, sessionId, body, request }) =>
    changeOwnPassword(deps, { viewer, sessionId, address: request.ip }, body),
  )
  handlePublic(app, api.requestReset, ({ body, request }) => requestPasswordReset(deps, request.ip, body.email))
  handlePublic(app, api.confirmReset, ({ body }) => setPasswordByLink(deps, body))
}
