import { PROVIDER_JOIN_SECONDS } from '@proofdesk/contract/limits'
import { sayEnglish } from '@proofdesk/contract/messages'
import type { Viewer } from '@proofdesk/contract/permissions'
import type { Identity, unlinkIdentity as unlinkRoute } from '@proofdesk/contract/provider-login'
import type { PageOf } from '@proofdesk/contract/paging'
import type { Out } from '@proofdesk/contract/route'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { recordEvents } from '../../events/record-events.ts'
import { toWholeList } from '../../http/page-links.ts'
import { deleteSessionsOfUser } from '../sessions/queries.ts'
import { demandRecentSignIn } from '../sessions/service.ts'
import { deleteChallenges } from '../two-factor/queries.ts'
import { findPasswordHash, holdActiveUser } from '../users/queries.ts'
import { findProvider } from './connection.ts'
import { providerEvents } from './events.ts'
import { hashGiven, hashHandover, makeHandover, type Handover } from './handover.ts'
import {
  deleteEntries,
  deleteIdentity,
  findIdentity,
  insertIdentity,
  insertPendingIdentity,
  listIdentities,
  takePendingIdentity,
  type IdentityKey,
  type LinkedIdentity,
} from './queries.ts'

interface Caller {
  viewer: Viewer
  sessionId: number
}

export async function listOwnIdentities(deps: Deps, viewer: Viewer): Promise<PageOf<Identity>> {
  const identities = await listIdentities(deps.reads, viewer.id)
  return toWholeList(identities.map((identity) => toIdentity(deps.config, identity)))
}

function toIdentity({ identityProviders }: Config, { linked_at, issuer, ...identity }: LinkedIdentity): Identity {
  const settings = findProvider(identityProviders, { ...identity, issuer })
  return {
    ...identity,
    name: settings?.name ?? issuer.replace(/^https?:\/\//, ''),
    is_offered: settings?.hasButton ?? false,
    linked_at: new Date(linked_at).toISOString(),
  }
}

/**
 * Lets the browser of a signed-in person link whom a provider named, once; they may have to confirm first who they are.
 * @param userId Who began it: nobody else who signs in there meanwhile finishes it.
 */
export async function offerLink(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  userId: number,
  identity: IdentityKey,
  email: string,
): Promise<Handover> {
  const handover = makeHandover()
  const expires_at = now() + PROVIDER_JOIN_SECONDS * 1000
  await insertPendingIdentity(db, {
    ...identity,
    hash: hashHandover(`link ${userId}`, handover),
    user_id: null,
    email,
    expires_at,
  })
  return handover
}

/**
 * Links the caller with the person a provider named, and tells them by mail; all other sessions end, and so does a sign-in
 * that waits for its code.
 * @throws AppError `provider_login_failed`, `confirm_identity`; `provider_identity_taken` when that person is linked with
 *   an account already, `provider_account_taken` when the caller is linked with another one there
 */
export async function linkOwnIdentity(
  deps: Deps,
  { viewer, sessionId }: Caller,
  given: { code: string; cookie: string | undefined },
): Promise<Identity> {
  const hash = hashGiven(`link ${viewer.id}`, given)
  if (hash === undefined) throw new AppError('provider_login_failed')
  const linked = await recordEvents(deps, async (transaction, emit) => {
    if (!(await holdActiveUser(transaction, viewer.id))) throw new AppError('not_signed_in')
    await demandRecentSignIn(transaction, deps.now(), sessionId)
    const pending = await takePendingIdentity(transaction, { hash }, deps.now())
    if (!pending) throw new AppError('provider_login_failed')
    const { provider, issuer, subject, email } = pending
    const row = { provider, issuer, subject, email, user_id: viewer.id, linked_at: deps.now() }
    const made = await insertIdentity(transaction, row)
    if (!made) throw await explainConflict(transaction, pending)
    await deleteChallenges(transaction, viewer.id)
    await deleteSessionsOfUser(transaction, viewer.id, sessionId)
    await emit(providerEvents.provider_linked(viewer.id, made))
    return made
  })
  return toIdentity(deps.config, linked)
}

async function explainConflict(transaction: Db, identity: { issuer: string; subject: string }): Promise<AppError> {
  const isLinked = (await findIdentity(transaction, identity)) !== undefined
  return new AppError(isLinked ? 'provider_identity_taken' : 'provider_account_taken')
}

/**
 * Unlinks one and tells the person by mail; all other sessions end, and so does a sign-in that is under way. What is left
 * must let them in.
 * @throws AppError `identity_not_found`, `last_way_in`, `confirm_identity`
 */
export async function unlinkOwnIdentity(
  deps: Deps,
  { viewer, sessionId }: Caller,
  id: number,
): Promise<Out<typeof unlinkRoute>> {
  await recordEvents(deps, async (transaction, emit) => {
    // Two that are unlinked at once do not each count the other.
    if (!(await holdActiveUser(transaction, viewer.id))) throw new AppError('not_signed_in')
    await demandRecentSignIn(transaction, deps.now(), sessionId)
    if (!(await deleteIdentity(transaction, viewer.id, id))) throw new AppError('identity_not_found')
    if (!(await hasWayIn(transaction, deps.config, viewer.id))) throw new AppError('last_way_in')
    await deleteEntries(transaction, viewer.id)
    await deleteChallenges(transaction, viewer.id)
    await deleteSessionsOfUser(transaction, viewer.id, sessionId)
    await emit(providerEvents.provider_unlinked(viewer.id, id))
  })
  return { detail: sayEnglish('provider_unlinked') }
}

async function hasWayIn(transaction: Db, { identityProviders }: Config, userId: number): Promise<boolean> {
  if ((await findPasswordHash(transaction, userId)) !== null) return true
  const left = await listIdentities(transaction, userId)
  // One that the operator has taken away since lets nobody in.
  return left.some((identity) => findProvider(identityProviders, identity)?.hasButton)
}
