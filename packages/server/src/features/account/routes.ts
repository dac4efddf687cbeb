import * as api from '@proofdesk/contract/account'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { bind } from '../../http/bind.ts'
import { readProviderCookie } from '../provider-login/provider-cookie.ts'
import { changeOwnPassword } from './change-password.ts'
import { confirmIdentity, showWaysToConfirm } from './confirm-identity.ts'
import { changeProfile, showOwnProfile } from './profile.ts'
import { checkResetLink, requestPasswordReset, setPasswordByLink } from './reset-password.ts'
import { resendVerificationMail, showOwnInfo } from './service.ts'
import { undoEmailChange } from './undo-email.ts'

export function accountRoutes(app: FastifyInstance, deps: Deps): void {
  bind(app, api.showUser, ({ viewer }) => showOwnInfo(deps, viewer))
  bind(app, api.resendVerification, ({ viewer, request }) => resendVerificationMail(deps, viewer, request.ip))
  bind(app, api.showProfile, ({ viewer }) => showOwnProfile(deps, viewer))
  bind(app, api.updateProfile, ({ viewer, sessionId, body, request }) =>
    changeProfile(deps, { viewer, sessionId, address: request.ip }, body),
  )
  bind(app, api.changePassword, ({ viewer, sessionId, body, request }) =>
    changeOwnPassword(deps, { viewer, sessionId, address: request.ip }, body),
  )
  bind(app, api.requestReset, ({ body, request }) => requestPasswordReset(deps, request.ip, body.email))
  bind(app, api.confirmReset, ({ body, request }) => setPasswordByLink(deps, request.ip, body))
  bind(app, api.undoEmailChange, ({ body }) => undoEmailChange(deps, body.token))
  bind(app, api.showConfirmation, ({ viewer }) => showWaysToConfirm(deps, viewer))
  bind(app, api.confirmIdentity, ({ viewer, sessionId, body, request }) => {
    const cookie = readProviderCookie(request, deps.config.publicUrl, 'provider-entry')
    return confirmIdentity(deps, { viewer, sessionId, address: request.ip, cookie }, body)
  })
  bind(app, api.checkResetLink, ({ body }) => checkResetLink(deps, body.token))
}
