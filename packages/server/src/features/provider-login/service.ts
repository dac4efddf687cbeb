import { PROVIDER_CODE_SECONDS } from '@proofdesk/contract/limits'
import type { ProviderEntry } from '@proofdesk/contract/provider-login'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { nameClient } from '../../http/limits.ts'
import { hashToken, looksLikeToken, makeToken } from '../../tokens.ts'
import { enterAfterFirstStep } from '../two-factor/service.ts'
import type { Providers } from './connection.ts'
import { findOrMakeAccount } from './find-account.ts'
import { readClaimedIssuer, takeIdToken } from './id-token.ts'
import { translateFailure } from './failures.ts'
import { deleteOutdated, insertEntry, takeEntry } from './queries.ts'

/**
 * Signs in with an ID token that somebody got from a provider on their own.
 * @throws AppError `provider_login_failed`, `provider_email_unverified`, `provider_account_unverified`,
 *   `provider_unavailable`, `not_found` where no provider is configured, `rate_limited`
 */
export async function enterWithIdToken(
  deps: Deps,
  providers: Providers,
  address: string,
  token: string,
): Promise<ProviderEntry> {
  if (!providers.isConfigured) throw new AppError('not_found')
  const client = nameClient(address)
  const attempt = await deps.limits.attempt({ name: 'sign_in_address', key: client })
  try {
    const connection = await providers.connectIssuer(readClaimedIssuer(token))
    if (!connection) throw new AppError('provider_login_failed')
    const claims = await takeIdToken(deps, connection, token)
    const entry = await enter(deps, await findOrMakeAccount(deps, client, claims), client)
    await attempt.forgive()
    return entry
  } catch (error) {
    const refusal = translateFailure(deps.log, error)
    if (refusal.status >= 500) await attempt.forgive()
    // A bug of ours is answered as one, with the id of the request.
    throw refusal.code === 'internal' ? error : refusal
  }
}

/** What the browser needs for the last step: the code in the address, the other half in a cookie. */
export interface Handover {
  code: string
  cookie: string
}

/** Lets the browser of a person who came back from a provider sign in, once and soon. */
export async function offerEntry({ db, now }: Pick<Deps, 'db' | 'now'>, userId: number): Promise<Handover> {
  const handover = { code: makeToken(), cookie: makeToken() }
  const expires_at = now() + PROVIDER_CODE_SECONDS * 1000
  await insertEntry(db, { hash: hashHandover(handover), user_id: userId, expires_at })
  return handover
}

/**
 * Trades the one-time code for a session. Without the cookie that was set beside it a code is worth nothing: a link
 * with somebody else's code signs nobody in.
 * @throws AppError `provider_login_failed`, `rate_limited`
 */
export async function enterWithProviderCode(
  deps: Deps,
  address: string,
  { code, cookie }: { code: string; cookie: string | undefined },
): Promise<ProviderEntry> {
  const client = nameClient(address)
  const attempt = await deps.limits.attempt({ name: 'sign_in_address', key: client })
  if (cookie === undefined || !looksLikeToken(code)) throw new AppError('provider_login_failed')
  const userId = await takeEntry(deps.db, hashHandover({ code, cookie }), deps.now())
  if (userId === undefined) throw new AppError('provider_login_failed')
  const entry = await enter(deps, userId, client)
  await attempt.forgive()
  return entry
}

async function enter(deps: Deps, userId: number, client: string): Promise<ProviderEntry> {
  const entry = await enterAfterFirstStep(deps, { userId, client })
  if (!entry) throw new AppError('provider_login_failed')
  const { access, refresh, ...answer } = entry.answer
  return { token: { access, refresh }, payload: entry.info, user_id: entry.info.id, ...answer }
}

function hashHandover({ code, cookie }: Handover): string {
  return hashToken(`${code} ${cookie}`)
}

/** Runs every hour. */
export async function sweepProviderLogin({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<void> {
  await deleteOutdated(db, now())
}
