import { sayEnglish } from '@proofdesk/contract/messages'
import * as api from '@proofdesk/contract/sessions'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { handle, handlePublic } from '../../http/handle.ts'
import { toWholeList } from '../../http/page-links.ts'
import { endOtherSessions, endOwnSession, endSession, listOwnSessions, rotateTokens } from './service.ts'

export function sessionRoutes(app: FastifyInstance, deps: Deps): void {
  handlePublic(app, api.refreshTokens, ({ body }) => rotateTokens(deps, body.refresh))

  // Not `handle`: whoever signs out a second time, or with an access token that has run out, is signed out.
  handlePublic(app, api.logOut, async ({ body, request }) => {
    if (!request.headers.authorization && body.refresh === undefined) throw new AppError('not_signed_in')
    await endSession(deps, request.signedIn, body.refresh)
    return { detail: sayEnglish('signed_out') }
  })

  handle(app, api.listSessions, async (caller) => toWholeList(await listOwnSessions(deps, caller)))
  handle(app, api.endOneSession, ({ viewer, params }) => endOwnSession(deps, viewer, params.id))
  handle(app, api.endOtherSessions, async (caller) => {
    await endOtherSessions(deps, caller)
    return { detail: sayEnglish('sessions_others_ended') }
  })
}
