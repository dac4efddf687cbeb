import type { NamedCookie } from '@proofdesk/contract/cookies'
import * as api from '@proofdesk/contract/provider-login'
import type { ProviderPurpose } from '@proofdesk/contract/provider-login'
import { PROVIDER_ATTEMPT_SECONDS } from '@proofdesk/contract/limits'
import { API_BASE } from '@proofdesk/contract/route'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { readCaller } from '../../http/caller.ts'
import { setChallengeCookie } from '../two-factor/challenge-cookie.ts'
import { readCookie, writeCookie } from '../../http/cookies.ts'
import { bind } from '../../http/bind.ts'
import { refuseForeignEmbedding } from '../../http/origin.ts'
import { readProviderCookie, setProviderCookie, type ProviderCookie } from './provider-cookie.ts'
import { openProviders } from './connection.ts'
import { translateFailure } from './failures.ts'
import { linkOwnIdentity, listOwnIdentities, unlinkOwnIdentity } from './identities.ts'
import { joinByLink, joinByPassword, requestJoinLink } from './join.ts'
import { finishAttempt, nameAttemptCookie, startAttempt, toScreen } from './redirect.ts'
import { enterWithIdToken, enterWithProviderCode } from './service.ts'

/** The cookies of a start go nowhere else. */
const PATH = `${API_BASE}/auth/oidc`

export function providerLoginRoutes(app: FastifyInstance, deps: Deps): void {
  const { publicUrl, identityProviders } = deps.config
  const providers = openProviders(identityProviders, deps.logger)
  const isSecure = publicUrl.startsWith('https:')
  /** A person stands before the browser: they are led back to where they can read what went wrong. */
  const sendBack = (reply: FastifyReply, purpose: ProviderPurpose, error: unknown) => {
    const refusal = translateFailure(deps.logger, error)
    if (refusal.code === 'not_found') throw refusal
    if (refusal.code === 'internal') deps.logger.fail('sign-in by an identity provider failed', refusal)
    return reply.redirect(toScreen(purpose, 'error', refusal.code), api.startProviderLogin.status)
  }

  bind(app, api.logInWithIdToken, async ({ body, request, reply }) => {
    const entry = await enterWithIdToken(deps, providers, readCaller(request), body)
    setChallengeCookie(reply, publicUrl, entry.challenge)
    return entry
  })

  bind(app, api.startProviderLogin, async ({ query, request, reply }) => {
    refuseForeignEmbedding(request)
    try {
      const { url, state, sealed } = await startAttempt(deps, providers, request.ip, query)
      writeCookie(reply, {
        name: nameAttemptCookie(state),
        value: sealed,
        path: PATH,
        maxAgeSeconds: PROVIDER_ATTEMPT_SECONDS,
        isSecure,
        // The provider's answer is a link from another site, with which a strict cookie would not come.
        followsLinks: true,
      })
      return await reply.redirect(url, api.startProviderLogin.status)
    } catch (error) {
      return sendBack(reply, query.purpose, error)
    }
  })

  bind(app, api.receiveProviderAnswer, async ({ request, reply }) => {
    const query = /\?.*$/.exec(request.url)?.[0] ?? ''
    const readOne = (name: NamedCookie) => readCookie(request, { name, isSecure })
    try {
      const arrival = await finishAttempt(deps, providers, { address: request.ip, query, readCookie: readOne })
      const { purpose, kind } = arrival
      if (kind === 'refused') return sendBack(reply, purpose, arrival.refusal)
      setProviderCookie(reply, publicUrl, {
        name: purpose === 'link' ? 'provider-link' : 'provider-entry',
        value: arrival.handover.cookie,
        maxAgeSeconds: arrival.seconds,
      })
      return await reply.redirect(toScreen(purpose, kind, arrival.handover.code), api.receiveProviderAnswer.status)
    } catch (error) {
      return sendBack(reply, 'sign-in', error)
    }
  })

  bind(app, api.finishProviderLogin, async ({ body, request, reply }) => {
    const entry = await enterWithProviderCode(deps, readCaller(request), readGiven(request, publicUrl, body))
    dropProviderCookie(reply, publicUrl)
    // Cookies of one answer add up.
    setChallengeCookie(reply, publicUrl, entry.challenge)
    return entry
  })

  bind(app, api.joinAccount, async ({ body, request, reply }) => {
    const joined = await joinByPassword(deps, readCaller(request), readGiven(request, publicUrl, body), body)
    dropProviderCookie(reply, publicUrl)
    return joined
  })
  bind(app, api.mailJoinLink, ({ body, request }) =>
    requestJoinLink(deps, request.ip, readGiven(request, publicUrl, body)),
  )
  bind(app, api.confirmJoin, ({ body }) => joinByLink(deps, body.token))
  bind(app, api.linkIdentity, ({ body, request, ...caller }) =>
    linkOwnIdentity(deps, caller, readGiven(request, publicUrl, body, 'provider-link')),
  )
  bind(app, api.listIdentities, ({ viewer }) => listOwnIdentities(deps, viewer))
  bind(app, api.unlinkIdentity, ({ params, ...caller }) => unlinkOwnIdentity(deps, caller, params.id))
}

function readGiven(
  request: FastifyRequest,
  publicUrl: string,
  { code }: { code: string },
  cookie: ProviderCookie = 'provider-entry',
): { code: string; cookie: string | undefined } {
  return { code, cookie: readProviderCookie(request, publicUrl, cookie) }
}

function dropProviderCookie(reply: FastifyReply, publicUrl: string): void {
  setProviderCookie(reply, publicUrl, { name: 'provider-entry', value: null, maxAgeSeconds: 0 })
}
