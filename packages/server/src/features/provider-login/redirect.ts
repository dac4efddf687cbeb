import { HANDOVER, ProviderId, receiveProviderAnswer } from '@proofdesk/contract/provider-login'
import { PROVIDER_ATTEMPT_SECONDS } from '@proofdesk/contract/limits'
import { API_BASE } from '@proofdesk/contract/route'
import type { JWTPayload } from 'jose'
import * as openid from 'openid-client'
import { z } from 'zod'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { nameClient } from '../../http/limits.ts'
import { hashToken, looksLikeToken, makeToken } from '../../tokens.ts'
import type { Connection, Providers } from './connection.ts'
import { translateFailure } from './failures.ts'
import { findOrMakeAccount } from './find-account.ts'
import { takeIdToken } from './id-token.ts'
import { takeOnce } from './queries.ts'
import { offerEntry, type Handover } from './service.ts'

/** What we must remember of a start; the browser keeps it, sealed, so that strangers fill no table. */
const Attempt = z.object({ provider: ProviderId, nonce: z.string(), verifier: z.string(), startedAt: z.number() })

/** A browser that leaves for a provider. */
export interface Departure {
  url: string
  /** Goes into the cookie that `nameAttemptCookie` names. */
  sealed: string
  state: string
}

/**
 * Begins the authorization-code flow with PKCE (RFC 7636), state and nonce.
 * @throws AppError `not_found` when it is not configured, `provider_unavailable`
 */
export async function startAttempt(deps: Deps, providers: Providers, provider: ProviderId): Promise<Departure> {
  const { client } = await providers.connect(provider)
  const [state, nonce, verifier] = [makeToken(), makeToken(), openid.randomPKCECodeVerifier()]
  const url = openid.buildAuthorizationUrl(client, {
    redirect_uri: toCallbackUrl(deps.config.publicUrl),
    scope: 'openid email profile',
    state,
    nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  const attempt: z.infer<typeof Attempt> = { provider, nonce, verifier, startedAt: deps.now() }
  return { url: url.href, state, sealed: deps.secrets.seal(JSON.stringify(attempt), toPurpose(state)) }
}

/** One for each attempt, so that two tabs do not disturb each other. */
export function nameAttemptCookie(state: string): string {
  return `provider-${hashToken(state).slice(0, 16)}`
}

/**
 * Goes on with what a provider answered. Each start is good for one answer, in the browser that it began in.
 * @param query With the question mark. @param readCookie Finds a cookie of the browser.
 * @throws AppError `provider_login_failed`, `provider_email_unverified`, `provider_account_unverified`,
 *   `provider_unavailable`, `internal`, `rate_limited`
 */
export async function finishAttempt(
  deps: Deps,
  providers: Providers,
  from: { address: string; query: string; readCookie: (name: string) => string | undefined },
): Promise<Handover> {
  const client = nameClient(from.address)
  const limit = await deps.limits.attempt({ name: 'sign_in_address', key: client })
  try {
    const url = new URL(toCallbackUrl(deps.config.publicUrl) + from.query)
    const state = url.searchParams.get('state') ?? ''
    const sealed = looksLikeToken(state) ? from.readCookie(nameAttemptCookie(state)) : undefined
    const attempt = sealed === undefined ? undefined : openAttempt(deps, state, sealed)
    if (!attempt || !(await takeState(deps, state))) throw new AppError('provider_login_failed')
    const connection = await providers.connect(attempt.provider)
    const claims = await redeemCode(deps, connection, url, { ...attempt, state })
    const handover = await offerEntry(deps, await findOrMakeAccount(deps, client, claims))
    await limit.forgive()
    return handover
  } catch (error) {
    const refusal = translateFailure(deps.log, error)
    if (refusal.status >= 500) await limit.forgive()
    throw refusal
  }
}

/** @returns undefined for what is not ours, belongs to another start, or is too old. */
function openAttempt({ secrets, now }: Deps, state: string, sealed: string): z.infer<typeof Attempt> | undefined {
  let text
  try {
    text = secrets.open(sealed, toPurpose(state))
  } catch {
    return undefined
  }
  const attempt = Attempt.parse(JSON.parse(text))
  return attempt.startedAt > now() - PROVIDER_ATTEMPT_SECONDS * 1000 ? attempt : undefined
}

function takeState({ db, now }: Deps, state: string): Promise<boolean> {
  return takeOnce(db, hashToken(`state ${state}`), now() + PROVIDER_ATTEMPT_SECONDS * 1000)
}

/** Trades the code for tokens and checks the ID token; who it is may stand there or at the userinfo endpoint. */
async function redeemCode(
  deps: Deps,
  connection: Connection,
  url: URL,
  { state, nonce, verifier }: { state: string; nonce: string; verifier: string },
): Promise<JWTPayload> {
  const { client } = connection
  const tokens = await openid.authorizationCodeGrant(client, url, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  })
  if (tokens.id_token === undefined) throw new AppError('provider_login_failed')
  const claims = await takeIdToken(deps, connection, tokens.id_token, nonce)
  if (claims['email'] !== undefined || client.serverMetadata().userinfo_endpoint === undefined) return claims
  const { sub = '' } = claims
  const { email, email_verified, given_name, family_name } = await openid.fetchUserInfo(
    client,
    tokens.access_token,
    sub,
  )
  return { ...claims, email, email_verified, given_name, family_name }
}

function toCallbackUrl(publicUrl: string): string {
  return `${publicUrl}${API_BASE}${receiveProviderAnswer.path}`
}

function toPurpose(state: string): string {
  return `provider-login ${hashToken(state)}`
}

/** The sign-in screen; what is in the fragment never reaches a server or its log. */
export function toSignInScreen(values: Partial<Record<keyof typeof HANDOVER, string>>): string {
  const fragment = new URLSearchParams()
  for (const key of ['code', 'error'] as const) if (values[key] !== undefined) fragment.set(HANDOVER[key], values[key])
  return `/login#${fragment.toString()}`
}
