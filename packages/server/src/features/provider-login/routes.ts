import * as api from '@proofdesk/contract/provider-login'
import { PROVIDER_ATTEMPT_SECONDS, PROVIDER_CODE_SECONDS } from '@proofdesk/contract/limits'
import { API_BASE } from '@proofdesk/contract/route'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Deps } from '../../deps.ts'
import { setChallengeCookie } from '../../http/challenge-cookie.ts'
import { readCookie, writeCookie } from '../../http/cookies.ts'
import { handlePublic, handlePublicFile } from '../../http/handle.ts'
import { openProviders } from './connection.ts'
import { translateFailure } from './failures.ts'
import { finishAttempt, nameAttemptCookie, startAttempt, toSignInScreen } from './redirect.ts'
import { enterWithIdToken, enterWithProviderCode } from './service.ts'

/** All cookies of this feature go nowhere else. */
const PATH = `${API_BASE}/auth/oidc`
/** The browser's half of a one-time code. */
const ENTRY_COOKIE = 'provider-entry'

export function providerLoginRoutes(app: FastifyInstance, deps: Deps): void {
  const { publicUrl, identityProviders } = deps.config
  const providers = openProviders(identityProviders, deps.log)
  const setCookie = (reply: FastifyReply, name: string, value: string, maxAgeSeconds: number, followsLinks?: true) => {
    const isSecure = publicUrl.startsWith('https:')
    writeCookie(reply, { name, value, path: PATH, maxAgeSeconds, isSecure, ...(followsLinks && { followsLinks }) })
  }
  /** A person stands before the browser: they are led back to where they can read what went wrong. */
  const sendBack = (reply: FastifyReply, error: unknown) => {
    const refusal = translateFailure(deps.log, error)
    if (refusal.code === 'not_found') throw refusal
    if (refusal.code === 'internal') deps.log.fail('sign-in by an identity provider failed', refusal)
    return reply.redirect(toSignInScreen({ error: refusal.code }), api.startProviderLogin.status)
  }

  handlePublic(app, api.logInWithIdToken, async ({ body, request, reply }) => {
    const entry = await enterWithIdToken(deps, providers, request.ip, body.token)
    setChallengeCookie(reply, publicUrl, entry.challenge)
    return entry
  })

  handlePublicFile(app, api.startProviderLogin, async ({ query, reply }) => {
    try {
      const { url, state, sealed } = await startAttempt(deps, providers, query.provider)
      // The provider's answer is a link from another site, with which a strict cookie would not come.
      setCookie(reply, nameAttemptCookie(state), sealed, PROVIDER_ATTEMPT_SECONDS, true)
      return await reply.redirect(url, api.startProviderLogin.status)
    } catch (error) {
      return sendBack(reply, error)
    }
  })

  handlePublicFile(app, api.receiveProviderAnswer, async ({ request, reply }) => {
    const query = /\?.*$/.exec(request.url)?.[0] ?? ''
    const readOne = (name: string) => readCookie(request, name)
    try {
      const { code, cookie } = await finishAttempt(deps, providers, { address: request.ip, query, readCookie: readOne })
      setCookie(reply, ENTRY_COOKIE, cookie, PROVIDER_CODE_SECONDS)
      return await reply.redirect(toSignInScreen({ code }), api.receiveProviderAnswer.status)
    } catch (error) {
      return sendBack(reply, error)
    }
  })

  handlePublic(app, api.finishProviderLogin, async ({ body, request, reply }) => {
    const cookie = readCookie(request, ENTRY_COOKIE)
    const entry = await enterWithProviderCode(deps, request.ip, { code: body.code, cookie })
    setCookie(reply, ENTRY_COOKIE, '', 0)
    // Cookies of one answer add up.
    setChallengeCookie(reply, publicUrl, entry.challenge)
    return entry
  })
}
