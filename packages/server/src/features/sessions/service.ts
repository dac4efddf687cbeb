import {
  ACCESS_TOKEN_SECONDS,
  CONFIRMED_SECONDS,
  LOST_ANSWER_SECONDS,
  REFRESH_TOKEN_SECONDS,
} from '@proofdesk/contract/limits'
import { isOrdinary, type Viewer } from '@proofdesk/contract/permissions'
import type { Session, Tokens } from '@proofdesk/contract/sessions'
import type { Config } from '../../config/config.ts'
import { inTransaction } from '../../db/in-transaction.ts'
import type { Db } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { recordEvents, type Emit, type EventDeps } from '../../events/record-events.ts'
import type { Device } from '../../http/device.ts'
import type { SignedIn } from '../../http/bind.ts'
import { nameNeighbourhood } from '../../http/limits.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import { hashToken, looksLikeToken, makeToken } from '../../secrets/tokens.ts'
import { noteSignIn } from '../users/queries.ts'
import { sessionEvents, type WayIn } from './events.ts'
import {
  deleteExpired,
  deleteOldestSessions,
  deleteKnownNetworks,
  deleteSession,
  deleteSessionOf,
  deleteSessionsOfUser,
  findConfirmedAt,
  findSessionOfRefresh,
  holdSessionOfRefresh,
  findSignedIn,
  hasKnownNetwork,
  insertKnownNetwork,
  insertSession,
  insertTokens,
  isSessionOfActiveUser,
  listPeopleOfSessions,
  listSessionsOf,
  noteSessionUse,
  setSuccessor,
  useLostSuccessor,
  useRefreshToken,
  type SessionPerson,
} from './queries.ts'

interface SessionDeps extends EventDeps {
  reads: Db
  config: Pick<Config, 'sessionDays' | 'maxSessions' | 'requireTwoFactor'>
}

const DAY_MS = 24 * 60 * 60 * 1000

/** Sessions that began then or earlier have lasted their longest. */
function longestAgo({ now, config }: Pick<SessionDeps, 'now' | 'config'>): number {
  return now() - config.sessionDays * DAY_MS
}

/** Whose access token this is. */
export async function findCaller(deps: SessionDeps, token: string): Promise<SignedIn | undefined> {
  const { reads, now } = deps
  const person = await findSignedIn(reads, hashToken(token), { now: now(), begunAfter: longestAgo(deps) })
  return (
    person && {
      viewer: person.viewer,
      sessionId: person.sessionId,
      mustSetUpTwoFactor: mustSetUpTwoFactor(deps, person),
    }
  )
}

/** People of those of these sessions that still stand and that are answered, by session id. */
export async function findViewers(deps: SessionDeps, sessionIds: number[]): Promise<Map<number, Viewer>> {
  const people = await listPeopleOfSessions(deps.reads, sessionIds, longestAgo(deps))
  return new Map(
    people
      .filter((person) => !mustSetUpTwoFactor(deps, person))
      .map(({ sessionId, viewer }): [number, Viewer] => [sessionId, viewer]),
  )
}

/** The operator may ask a second step of everybody who has power over what belongs to others. */
function mustSetUpTwoFactor({ config }: Pick<SessionDeps, 'config'>, { viewer, hasTwoFactor }: SessionPerson): boolean {
  return config.requireTwoFactor && !isOrdinary(viewer) && !hasTwoFactor
}

/**
 * Begins a session, in the transaction of whatever proved who they are; beyond the most one person may have, the oldest
 * ends.
 */
export async function beginSession(
  transaction: Db,
  emit: Emit,
  { now, config }: Pick<SessionDeps, 'now' | 'config'>,
  { userId, device, way }: { userId: number; device: Device; way: WayIn },
): Promise<Tokens> {
  const at = now()
  // Two that come in at once count one after the other.
  await noteSignIn(transaction, userId, at)
  const sessionId = await insertSession(transaction, userId, at, device)
  await deleteOldestSessions(transaction, userId, config.maxSessions)
  await emit(sessionEvents.signed_in(userId, sessionId, way))
  return issueTokens(transaction, at, sessionId)
}

async function issueTokens(transaction: Db, now: number, sessionId: number): Promise<Tokens> {
  const tokens = { access: makeToken(), refresh: makeToken() }
  await insertTokens(transaction, [
    {
      hash: hashToken(tokens.access),
      session_id: sessionId,
      kind: 'access',
      expires_at: now + ACCESS_TOKEN_SECONDS * 1000,
    },
    {
      hash: hashToken(tokens.refresh),
      session_id: sessionId,
      kind: 'refresh',
      expires_at: now + REFRESH_TOKEN_SECONDS * 1000,
    },
  ])
  return tokens
}

/** A network that nobody came from for so long is a stranger's again. */
const NETWORK_KEPT_MS = 180 * 24 * 60 * 60 * 1000

/**
 * Remembers where somebody came from who has shown who they are, without telling anybody who reads the database.
 * @param client As the limits name it.
 */
export async function rememberNetwork(
  transaction: Db,
  { secrets, now }: Pick<Deps, 'secrets' | 'now'>,
  userId: number,
  client: string,
): Promise<void> {
  await insertKnownNetwork(transaction, { user_id: userId, mark: markNetwork(secrets, userId, client), used_at: now() })
}

export function knowsNetwork(
  { reads, secrets }: Pick<Deps, 'reads' | 'secrets'>,
  userId: number,
  client: string,
): Promise<boolean> {
  return hasKnownNetwork(reads, userId, markNetwork(secrets, userId, client))
}

/** Another one for each person: nobody learns who comes from the same place. */
function markNetwork(secrets: SecretBox, userId: number, client: string): string {
  return secrets.mac(nameNeighbourhood(client), `network of ${userId}`)
}

/**
 * Trades a refresh token for a new pair. A token traded twice was copied by somebody: its whole session ends, also for
 * the one who was first. Except a moment after the first trade, while nobody has traded what it gave: then its answer got
 * lost, as when a page is left while it waits. What got lost counts as used, so whoever has it all the same ends the
 * session by using it.
 * @throws AppError `refresh_invalid`
 */
export async function rotateTokens(deps: SessionDeps, refresh: string): Promise<Tokens> {
  if (!looksLikeToken(refresh)) throw new AppError('refresh_invalid')
  const hash = hashToken(refresh)
  const tokens = await recordEvents(deps, async (transaction, emit) => {
    await holdSessionOfRefresh(transaction, hash)
    const now = deps.now()
    const tradedAfter = now - LOST_ANSWER_SECONDS * 1000
    const sessionId =
      (await useRefreshToken(transaction, hash, now)) ??
      (await useLostSuccessor(transaction, hash, { now, tradedAfter }))
    if (sessionId !== undefined) {
      if (!(await isSessionOfActiveUser(transaction, sessionId, longestAgo(deps)))) {
        await deleteSession(transaction, sessionId)
        return undefined
      }
      const pair = await issueTokens(transaction, now, sessionId)
      await setSuccessor(transaction, hash, hashToken(pair.refresh))
      await noteSessionUse(transaction, sessionId, now)
      return pair
    }
    const family = await findSessionOfRefresh(transaction, hash)
    const reused = family?.isUsed ? await deleteSession(transaction, family.sessionId) : undefined
    if (reused) await emit(sessionEvents.session_reused(reused.userId, reused.id))
    return undefined
  })
  // Thrown after the commit: the end of the family must stand.
  if (!tokens) throw new AppError('refresh_invalid')
  return tokens
}

/** Ends the session of the caller's access token and that of the refresh token, where they are still there. */
export async function endSession(
  deps: SessionDeps,
  signedIn: SignedIn | null,
  refresh: string | undefined,
): Promise<void> {
  await recordEvents(deps, async (transaction, emit) => {
    const isToken = refresh !== undefined && looksLikeToken(refresh)
    const family = isToken ? await findSessionOfRefresh(transaction, hashToken(refresh)) : undefined
    for (const id of new Set([signedIn?.sessionId, family?.sessionId])) {
      const ended = id === undefined ? undefined : await deleteSession(transaction, id)
      if (ended) await emit(sessionEvents.signed_out(ended.userId, ended.id))
    }
  })
}

/**
 * For changes with which a borrowed access token would become the account. In the transaction of the change, once the
 * person is held: whoever ends their sessions holds them too, so none that ended meanwhile changes anything.
 * @throws AppError `confirm_identity` when the sign-in is older than 15 minutes, `not_signed_in` when the session ended
 */
export async function demandRecentSignIn(db: Db, now: number, sessionId: number): Promise<void> {
  const confirmedAt = await findConfirmedAt(db, sessionId)
  if (confirmedAt === undefined) throw new AppError('not_signed_in')
  if (confirmedAt < now - CONFIRMED_SECONDS * 1000) throw new AppError('confirm_identity')
}

/** One's own sessions; the one that asks is marked. */
export async function listOwnSessions(deps: SessionDeps, { viewer, sessionId }: SignedIn): Promise<Session[]> {
  return listSessions(deps, viewer.id, sessionId)
}

/** A person's sessions. @param currentId That of whoever asks. */
export async function listSessions(deps: SessionDeps, userId: number, currentId: number): Promise<Session[]> {
  const sessions = await listSessionsOf(deps.reads, userId, longestAgo(deps))
  return sessions.map((session) => ({ ...session, is_current: session.id === currentId }))
}

/** @throws AppError `session_not_found` also for one of somebody else: the two look alike. */
export async function endOwnSession(deps: SessionDeps, viewer: Viewer, sessionId: number): Promise<void> {
  await recordEvents(deps, async (transaction, emit) => {
    if (!(await deleteSessionOf(transaction, viewer.id, sessionId))) throw new AppError('session_not_found')
    await emit(sessionEvents.session_ended(viewer.id, sessionId))
  })
}

export async function endOtherSessions(deps: SessionDeps, { viewer, sessionId }: SignedIn): Promise<void> {
  await recordEvents(deps, async (transaction, emit) => {
    if (await deleteSessionsOfUser(transaction, viewer.id, sessionId))
      await emit(sessionEvents.sessions_ended(viewer.id, viewer.id))
  })
}

/** Signs somebody out everywhere. @param by Who does. */
export async function endSessionsOf(deps: SessionDeps, userId: number, by: number): Promise<void> {
  await recordEvents(deps, async (transaction, emit) => {
    if (await deleteSessionsOfUser(transaction, userId)) await emit(sessionEvents.sessions_ended(by, userId))
  })
}

/** Runs every hour. */
export async function sweepSessions(deps: SessionDeps): Promise<void> {
  await inTransaction(deps.db, async (transaction) => {
    await deleteExpired(transaction, deps.now(), longestAgo(deps))
    await deleteKnownNetworks(transaction, deps.now() - NETWORK_KEPT_MS)
  })
}
