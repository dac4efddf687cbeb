import type { NamedCookie } from '@proofdesk/contract/cookies'
import { HANDOVER, ProviderId, ProviderPurpose, receiveProviderAnswer } from '@proofdesk/contract/provider-login'
import { PROVIDER_RETURN_PATH } from '@proofdesk/contract/provider-return'
import { PROVIDER_ATTEMPT_SECONDS, PROVIDER_CODE_SECONDS, PROVIDER_JOIN_SECONDS } from '@proofdesk/contract/limits'
import { API_BASE } from '@proofdesk/contract/route'
import type { JWTPayload } from 'jose'
import * as openid from 'openid-client'
import { z } from 'zod'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { byClient } from '../../http/limits.ts'
import { hashToken, looksLikeToken, makeToken } from '../../secrets/tokens.ts'
import type { Connection, Providers } from './connection.ts'
import { translateFailure } from './failures.ts'
import { findOrMakeAccount, readIdentity, readShownEmail } from './find-account.ts'
import type { Handover } from './handover.ts'
import { takeIdToken } from './id-token.ts'
import { offerLink } from './identities.ts'
import { offerJoin } from './join.ts'
import { findIdentity, takeOnce, type IdentityKey } from './queries.ts'
import { offerEntry, recordRefusal } from './service.ts'
import { SIGN_IN_ADDRESS } from '../auth/limits.ts'
import { PROVIDER_START } from './limits.ts'

/** What we must remember of a start; the browser keeps it, sealed, so that strangers fill no table. */
const Attempt = z.object({
  provider: ProviderId,
  // Absent from attempts that began before there were others.
  purpose: ProviderPurpose.default('sign-in'),
  // Who links it.
  user: z.number().optional(),
  nonce: z.string(),
  verifier: z.string(),
  startedAt: z.number(),
})
type Attempt = z.output<typeof Attempt>

/** A browser that leaves for a provider. */
export interface Departure {
  url: string
  /** Goes into the cookie that `nameAttemptCookie` names. */
  sealed: string
  state: string
}

/**
 * Begins the authorization-code flow with PKCE (RFC 7636), state and nonce. Who confirms who they are is asked by the
 * provider anew.
 * @param address Of the caller.
 * @throws AppError `not_found` when it is not configured, `provider_unavailable`, `rate_limited`; `provider_login_failed` for a
 *   link that is nobody's
 */
export async function startAttempt(
  deps: Deps,
  providers: Providers,
  address: string,
  { provider, purpose, user }: Pick<Attempt, 'provider' | 'purpose' | 'user'>,
): Promise<Departure> {
  if (purpose === 'link' && user === undefined) throw new AppError('provider_login_failed')
  await deps.limits.attempt(...byClient(PROVIDER_START, address))
  const { client } = await providers.connect(provider)
  const [state, nonce, verifier] = [makeToken(), makeToken(), openid.randomPKCECodeVerifier()]
  const url = openid.buildAuthorizationUrl(client, {
    redirect_uri: toCallbackUrl(deps.config.publicUrl),
    scope: 'openid email profile',
    state,
    nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(purpose === 'confirm' && { max_age: '0' }),
  })
  const attempt: Attempt = { provider, purpose, user, nonce, verifier, startedAt: deps.now() }
  return { url: url.href, state, sealed: deps.secrets.seal(JSON.stringify(attempt), toPurpose(state)) }
}

/** One for each attempt, so that two tabs do not disturb each other. */
export function nameAttemptCookie(state: string): NamedCookie {
  return `provider-${hashToken(state).slice(0, 16)}`
}

/** A browser that came back: what it asked for, and what it is handed or why not. */
export type Arrival = { purpose: ProviderPurpose } & (
  | { kind: 'code' | 'join'; handover: Handover; seconds: number }
  | { kind: 'refused'; refusal: AppError }
)

/**
 * Goes on with what a provider answered. Each start is good for one answer, in the browser that it began in.
 * @param query With the question mark. @param readCookie Finds a cookie of the browser.
 * @throws AppError `rate_limited`
 */
export async function finishAttempt(
  deps: Deps,
  providers: Providers,
  from: { address: string; query: string; readCookie: (name: NamedCookie) => string | undefined },
): Promise<Arrival> {
  const url = new URL(toCallbackUrl(deps.config.publicUrl) + from.query)
  const state = url.searchParams.get('state') ?? ''
  const sealed = looksLikeToken(state) ? from.readCookie(nameAttemptCookie(state)) : undefined
  const attempt = sealed === undefined ? undefined : openAttempt(deps, state, sealed)
  // Nothing can be guessed without one, and any page can send a browser here: it counts against nobody.
  if (!attempt) return { purpose: 'sign-in', kind: 'refused', refusal: new AppError('provider_login_failed') }
  const { purpose } = attempt
  try {
    return await deps.limits.watch(byClient(SIGN_IN_ADDRESS, from.address), async () => {
      try {
        if (!(await takeState(deps, state))) throw new AppError('provider_login_failed')
        const connection = await providers.connect(attempt.provider)
        const claims = await redeemCode(deps, connection, url, { ...attempt, state })
        return await receive(deps, from.address, attempt, readIdentity(connection, claims), claims)
      } catch (error) {
        throw translateFailure(deps.logger, error)
      }
    })
  } catch (error) {
    const refusal = translateFailure(deps.logger, error)
    await recordRefusal(deps, refusal)
    return { purpose, kind: 'refused', refusal }
  }
}

async function receive(
  deps: Deps,
  address: string,
  { purpose, user, startedAt }: Attempt,
  identity: IdentityKey,
  claims: JWTPayload,
): Promise<Arrival> {
  const seconds = PROVIDER_CODE_SECONDS
  if (purpose === 'confirm') {
    refuseOldSignIn(claims, startedAt)
    const userId = await findIdentity(deps.reads, identity)
    if (userId === undefined) throw new AppError('provider_identity_unknown')
    return { purpose, kind: 'code', handover: await offerEntry(deps, 'confirm', userId), seconds }
  }
  if (purpose === 'link') {
    // It began before links were somebody's.
    if (user === undefined) throw new AppError('provider_login_failed')
    const handover = await offerLink(deps, user, identity, readShownEmail(claims))
    return { purpose, kind: 'code', handover, seconds: PROVIDER_JOIN_SECONDS }
  }
  const found = await findOrMakeAccount(deps, address, identity, claims)
  if ('userId' in found)
    return { purpose, kind: 'code', handover: await offerEntry(deps, 'sign-in', found.userId), seconds }
  const handover = await offerJoin(deps, identity, found.join)
  return { purpose, kind: 'join', handover, seconds: PROVIDER_JOIN_SECONDS }
}

/** Clocks of servers differ by some seconds. */
const CLOCK_TOLERANCE_SECONDS = 60

/** A provider that says when the person signed in there must have asked them since; Google's does not say. */
function refuseOldSignIn({ auth_time }: JWTPayload, startedAt: number): void {
  if (typeof auth_time === 'number' && auth_time < startedAt / 1000 - CLOCK_TOLERANCE_SECONDS)
    throw new AppError('provider_login_failed')
}

/** @returns undefined for what is not ours, belongs to another start, or is too old. */
function openAttempt({ secrets, now }: Deps, state: string, sealed: string): Attempt | undefined {
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

/** The screen that goes on; what is in the fragment never reaches a server or its log. */
export function toScreen(purpose: ProviderPurpose, name: keyof typeof HANDOVER, value: string): string {
  const fragment = new URLSearchParams({ [HANDOVER[name]]: value })
  return `${purpose === 'sign-in' ? '/login' : PROVIDER_RETURN_PATH}#${fragment.toString()}`
}
