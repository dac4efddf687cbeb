import { sayEnglish } from '@proofdesk/contract/messages'
import * as api from '@proofdesk/contract/sessions'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { handlePublic } from '../../http/handle.ts'
import { endSession, rotateTokens } from './service.ts'

export function sessionRoutes(app: FastifyInstance, deps: Deps): void {
  handlePublic(app, api.refreshTokens, ({ body }) => rotateTokens(deps, body.refresh))

  // Not `handle`: whoever signs out a second time, or with an access token that has run out, is signed out.
  handlePublic(app, api.logOut, async ({ body, request }) => {
    if (!request.headers.authorization && body.refresh === undefined) throw new AppError('not_signed_in')
    await endSession(deps, request.signedIn, body.refresh)
    return { detail: sayEnglish('signed_out') }
  })
}
