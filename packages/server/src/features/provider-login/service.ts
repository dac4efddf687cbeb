import { PROVIDER_CODE_SECONDS } from '@proofdesk/contract/limits'
import type { Provider, ProviderEntry } from '@proofdesk/contract/provider-login'
import type { Db } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { recordFailure } from '../../events/record-failure.ts'
import type { Caller } from '../../http/caller.ts'
import { byClient } from '../../http/limits.ts'
import { authEvents } from '../auth/events.ts'
import { enterAfterFirstStep } from '../two-factor/service.ts'
import { findProvider, type Providers } from './connection.ts'
import { findOrMakeAccount, readIdentity } from './find-account.ts'
import { hashGiven, hashHandover, makeHandover, type Handover } from './handover.ts'
import { readClaimedIssuer, takeIdToken } from './id-token.ts'
import { translateFailure } from './failures.ts'
import { joinAtOnce } from './join.ts'
import { deleteOutdated, insertEntry, listIdentities, takeEntry } from './queries.ts'
import { SIGN_IN_ADDRESS } from '../auth/limits.ts'

/** What comes with an ID token. `password`, `otp`: of the account to join. */
export interface GivenIdToken {
  token: string
  password?: string | undefined
  otp?: string | undefined
}

/**
 * Signs in with an ID token that somebody got from a provider on their own.
 * @throws AppError `provider_login_failed`, `provider_email_unverified`, `provider_account_unverified`,
 *   `provider_account_taken`, `email_kept`, `provider_join_needed`, `provider_unavailable`, `not_found` where no provider is
 *   configured, `rate_limited`, and as `proveOnceMore`
 */
export async function enterWithIdToken(
  deps: Deps,
  providers: Providers,
  from: Caller,
  { token, password, otp }: GivenIdToken,
): Promise<ProviderEntry> {
  if (!providers.isConfigured) throw new AppError('not_found')
  const { identity, found } = await deps.limits.watch(byClient(SIGN_IN_ADDRESS, from.address), async () => {
    try {
      const connection = await providers.connectIssuer(readClaimedIssuer(token))
      if (!connection) throw new AppError('provider_login_failed')
      const claims = await takeIdToken(deps, connection, token)
      const key = readIdentity(connection, claims)
      return { identity: key, found: await findOrMakeAccount(deps, from.address, key, claims) }
    } catch (error) {
      const refusal = translateFailure(deps.logger, error)
      await recordRefusal(deps, refusal)
      throw refusal
    }
  })
  if ('userId' in found) return enter(deps, found.userId, from)
  if (password === undefined) throw new AppError('provider_join_needed')
  // Its guesses are counted by itself.
  const { access, refresh, ...payload } = await joinAtOnce(deps, from, identity, found.join, { password, otp })
  return { token: { access, refresh }, payload, gfa_is_enabled: false, user_id: payload.id, challenge: null }
}

/** A sign-in that failed at us, not at the provider being away. */
export async function recordRefusal(deps: Deps, { status }: AppError): Promise<void> {
  if (status < 500 && status !== 429) await recordFailure(deps, authEvents.sign_in_failed(null, 'provider'))
}

/** Lets the browser of a person who came back from a provider sign in, or confirm who they are, once and soon. */
export async function offerEntry(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  purpose: 'sign-in' | 'confirm',
  userId: number,
): Promise<Handover> {
  const handover = makeHandover()
  const expires_at = now() + PROVIDER_CODE_SECONDS * 1000
  await insertEntry(db, { hash: hashHandover(purpose, handover), user_id: userId, expires_at })
  return handover
}

/**
 * Trades the one-time code for a session.
 * @throws AppError `provider_login_failed`, `rate_limited`
 */
export async function enterWithProviderCode(
  deps: Deps,
  from: Caller,
  given: { code: string; cookie: string | undefined },
): Promise<ProviderEntry> {
  return deps.limits.watch(byClient(SIGN_IN_ADDRESS, from.address), async () => {
    const hash = hashGiven('sign-in', given)
    const userId = hash === undefined ? undefined : await takeEntry(deps.db, hash, deps.now())
    if (userId !== undefined) return enter(deps, userId, from)
    const refusal = new AppError('provider_login_failed')
    await recordRefusal(deps, refusal)
    throw refusal
  })
}

async function enter(deps: Deps, userId: number, from: Caller): Promise<ProviderEntry> {
  const entry = await enterAfterFirstStep(deps, { userId, from })
  if (!entry) throw new AppError('provider_login_failed')
  const { access, refresh, ...answer } = entry.answer
  return { token: { access, refresh }, payload: entry.info, user_id: entry.info.id, ...answer }
}

/**
 * Takes the one-time code with which a provider confirmed who somebody is.
 * @returns false also when that is somebody else
 */
export async function takeConfirmation(
  transaction: Db,
  now: number,
  given: { userId: number; code: string | undefined; cookie: string | undefined },
): Promise<boolean> {
  const hash = hashGiven('confirm', given)
  const userId = hash === undefined ? undefined : await takeEntry(transaction, hash, now)
  return userId === given.userId
}

/** The configured providers that an account is linked with. */
export async function listLinkedProviders({ reads, config }: Deps, userId: number): Promise<Provider[]> {
  const identities = await listIdentities(reads, userId)
  const linked = new Set(identities.map((identity) => findProvider(config.identityProviders, identity)))
  return config.identityProviders
    .filter((provider) => provider.hasButton && linked.has(provider))
    .map(({ id, name }) => ({ id, name }))
}

/** Runs every hour. */
export async function sweepProviderLogin({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<void> {
  await deleteOutdated(db, now())
}
