import { z } from 'zod'
import { Id, say, Token } from './fields.ts'
import { ID_TOKEN_MAX_LENGTH } from './limits.ts'
import { route } from './route.ts'
import { UserInfo } from './users.ts'

/** `google` is the one with Google's settings, `oidc` any other OpenID Connect issuer. */
export const ProviderId = z.enum(['google', 'oidc'])
export type ProviderId = z.infer<typeof ProviderId>

/** A provider whose button the sign-in screen shows. */
export const Provider = z.object({ id: ProviderId, name: z.string() })
export type Provider = z.infer<typeof Provider>

/** With two-factor on, the tokens are null and the code step follows with `user_id` and `challenge`. */
export const ProviderEntry = z.object({
  token: z.object({ access: z.string().nullable(), refresh: z.string().nullable() }),
  payload: UserInfo,
  gfa_is_enabled: z.boolean(),
  user_id: Id,
  challenge: z.string().nullable(),
})
export type ProviderEntry = z.infer<typeof ProviderEntry>

export const logInWithIdToken = route({
  method: 'POST',
  path: '/google-login/',
  summary: 'Signs in with an ID token of a configured identity provider, five minutes old at most. Each is taken once.',
  access: 'public',
  body: z.object({
    /** A JWT in compact form. */
    token: z
      .string({ error: say('field_required') })
      .min(1, say('field_required'))
      .max(ID_TOKEN_MAX_LENGTH, say('token_invalid')),
  }),
  response: ProviderEntry,
  saysError: true,
  errors: [
    'provider_login_failed',
    'provider_email_unverified',
    'provider_account_unverified',
    'provider_unavailable',
    'not_found',
    'rate_limited',
  ],
})

export const startProviderLogin = route({
  method: 'GET',
  path: '/auth/oidc/start',
  summary: 'Sends the browser to an identity provider: authorization code with PKCE, state and nonce.',
  access: 'public',
  query: z.object({ provider: ProviderId }),
  status: 302,
  errors: ['not_found'],
})

/** Where the provider sends the browser back to (RFC 6749 section 4.1.2). */
export const receiveProviderAnswer = route({
  method: 'GET',
  path: '/auth/oidc/callback',
  summary:
    'Takes the provider’s answer, once, and sends the browser to the sign-in screen with a one-time code or the code of a failure in the fragment.',
  access: 'public',
  changesState: true,
  status: 302,
  errors: ['not_found'],
})

export const finishProviderLogin = route({
  method: 'POST',
  path: '/auth/oidc/finish/',
  summary: 'Trades the one-time code of the callback, in the same browser and within 60 seconds, for a session.',
  access: 'public',
  body: z.object({ code: Token }),
  response: ProviderEntry,
  saysError: true,
  errors: ['provider_login_failed', 'rate_limited'],
})

/** Names of the values in the fragment that the callback sends the sign-in screen. */
export const HANDOVER = { code: 'provider_code', error: 'provider_error' } as const
