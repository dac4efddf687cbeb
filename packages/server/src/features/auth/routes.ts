import * as api from '@proofdesk/contract/auth'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { readCaller } from '../../http/caller.ts'
import { setChallengeCookie } from '../two-factor/challenge-cookie.ts'
import { bind } from '../../http/bind.ts'
import { checkSetupLink, registerUser, setUpInstance, signIn, verifyAddress } from './service.ts'

export function authRoutes(app: FastifyInstance, deps: Deps): void {
  const { organisation, maxUploadMb, isTestInstance, identityProviders } = deps.config
  bind(app, api.register, ({ body, request }) => registerUser(deps, request.ip, body))
  bind(app, api.logIn, async ({ body, request, reply }) => {
    const answer = await signIn(deps, readCaller(request), body)
    setChallengeCookie(reply, deps.config.publicUrl, answer.challenge)
    return answer
  })
  bind(app, api.verifyEmail, ({ body }) => verifyAddress(deps, body.token))
  bind(app, api.checkSetupLink, ({ body }) => checkSetupLink(deps, body.token))
  bind(app, api.setUp, ({ body }) => setUpInstance(deps, body))
  bind(app, api.showInstance, async () => ({
    organisation,
    max_upload_mb: maxUploadMb,
    is_test_instance: isTestInstance,
    providers: identityProviders.filter(({ hasButton }) => hasButton).map(({ id, name }) => ({ id, name })),
  }))
}
