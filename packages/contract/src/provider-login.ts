import { z } from 'zod'
import { GivenPassword, Id, IdParams, IdQuery, say, Time, Token } from './fields.ts'
import { ID_TOKEN_MAX_LENGTH } from './limits.ts'
import { pageOf } from './paging.ts'
import { route } from './route.ts'
import { Tokens } from './sessions.ts'
import { IDENTITY_ERRORS, TypedCode } from './two-factor.ts'
import { UserInfo } from './users.ts'

/** `google` is the one with Google's settings, `oidc` any other OpenID Connect issuer. */
export const ProviderId = z.enum(['google', 'oidc'])
export type ProviderId = z.infer<typeof ProviderId>

/** A provider whose button the sign-in screen shows. */
export const Provider = z.object({ id: ProviderId, name: z.string() })
export type Provider = z.infer<typeof Provider>

/** What a person goes to a provider for; one who is signed in, to confirm who they are or to link it. */
export const ProviderPurpose = z.enum(['sign-in', 'confirm', 'link'])
export type ProviderPurpose = z.infer<typeof ProviderPurpose>

/** Somebody at a provider whom an account is linked with. */
export const Identity = z.object({
  id: Id,
  provider: ProviderId,
  name: z.string().describe('The provider’s name.'),
  is_offered: z.boolean().describe('Whether one can sign in by it still: its operator may have taken it away.'),
  email: z.string().describe('What the provider said when it was linked.'),
  linked_at: Time,
})
export type Identity = z.infer<typeof Identity>

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
    /** After `provider_join_needed`, with a new ID token: the account’s password, and with two-factor on a code. */
    password: GivenPassword.optional(),
    otp: TypedCode.optional(),
  }),
  response: ProviderEntry,
  saysError: true,
  errors: [
    'provider_login_failed',
    'provider_email_unverified',
    'provider_account_unverified',
    'provider_account_taken',
    'email_kept',
    'provider_join_needed',
    'provider_unavailable',
    ...IDENTITY_ERRORS,
    'not_found',
    'rate_limited',
    'busy',
  ],
})

export const startProviderLogin = route({
  method: 'GET',
  path: '/auth/oidc/start',
  summary: 'Sends the browser to an identity provider: authorization code with PKCE, state and nonce.',
  access: 'public',
  query: z.object({
    provider: ProviderId,
    purpose: ProviderPurpose.default('sign-in'),
    user: IdQuery.optional().describe('Who links it, and nobody else then can; with the purpose `link` alone.'),
  }),
  status: 302,
  errors: ['not_found', 'foreign_origin'],
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

const JOIN_ERRORS = ['provider_join_ended', 'provider_account_unverified', 'provider_account_taken'] as const

export const joinAccount = route({
  method: 'POST',
  path: '/auth/oidc/join/',
  summary:
    'Links somebody from a provider with the account that has their e-mail, by its password and with two-factor on a code, and signs in.',
  access: 'public',
  body: z.object({ code: Token, password: GivenPassword, otp: TypedCode.optional() }),
  response: UserInfo.extend(Tokens.shape),
  errors: [...JOIN_ERRORS, ...IDENTITY_ERRORS, 'rate_limited', 'busy'],
})

export const mailJoinLink = route({
  method: 'POST',
  path: '/auth/oidc/join/mail/',
  summary: 'Mails the account that has their e-mail a link that links it, in place of its password.',
  access: 'public',
  body: z.object({ code: Token }),
  response: z.object({ detail: z.string() }),
  errors: ['provider_join_ended', 'provider_account_unverified', 'rate_limited'],
})

export const confirmJoin = route({
  method: 'POST',
  path: '/auth/oidc/join/confirm/',
  summary: 'Uses up the token of such a mail; the provider signs in from then on.',
  access: 'public',
  body: z.object({ token: Token }),
  response: z.object({ detail: z.string(), username: z.string() }),
  errors: ['link_invalid', 'provider_account_unverified', 'provider_account_taken'],
})

export const linkIdentity = route({
  method: 'POST',
  path: '/auth/oidc/link/',
  summary:
    'Links the signed-in person with somebody at a provider, by the one-time code of its answer; all other sessions end.',
  access: 'bearer',
  isOfOwnAccount: true,
  body: z.object({ code: Token }),
  response: Identity,
  status: 201,
  errors: ['provider_login_failed', 'provider_identity_taken', 'provider_account_taken', 'confirm_identity'],
})

export const listIdentities = route({
  method: 'GET',
  path: '/profile/identities/',
  summary: 'Whom at which provider one’s account is linked with.',
  access: 'bearer',
  response: pageOf(Identity),
  errors: [],
})

export const unlinkIdentity = route({
  method: 'DELETE',
  path: '/profile/identities/:id/',
  summary: 'Unlinks a provider, while a password or another provider is left; all other sessions end.',
  access: 'bearer',
  isOfOwnAccount: true,
  params: IdParams,
  response: z.object({ detail: z.string() }),
  errors: ['identity_not_found', 'last_way_in', 'confirm_identity'],
})

/** Names of the values in the fragment that the callback sends our screens. */
export const HANDOVER = { code: 'provider_code', join: 'provider_join', error: 'provider_error' } as const
