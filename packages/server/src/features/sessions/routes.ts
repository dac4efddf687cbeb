import { sayEnglish } from '@proofdesk/contract/messages'
import * as api from '@proofdesk/contract/sessions'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { bind } from '../../http/bind.ts'
import { toWholeList } from '../../http/page-links.ts'
import { endOtherSessions, endOwnSession, endSession, listOwnSessions, rotateTokens } from './service.ts'

export function sessionRoutes(app: FastifyInstance, deps: Deps): void {
  bind(app, api.refreshTokens, ({ body }) => rotateTokens(deps, body.refresh))

  // Whoever signs out a second time, or with an access token that has run out, is signed out.
  bind(app, api.logOut, async ({ body, request }) => {
    if (!request.headers.authorization && !body.refresh) throw new AppError('not_signed_in')
    await endSession(deps, request.signedIn, body.refresh || undefined)
    return { detail: sayEnglish('signed_out') }
  })

  bind(app, api.listSessions, async (caller) => toWholeList(await listOwnSessions(deps, caller)))
  bind(app, api.endOneSession, ({ viewer, params }) => endOwnSession(deps, viewer, params.id))
  bind(app, api.endOtherSessions, async (caller) => {
    await endOtherSessions(deps, caller)
    return { detail: sayEnglish('sessions_others_ended') }
  })
}
