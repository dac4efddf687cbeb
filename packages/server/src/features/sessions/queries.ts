import type { Viewer } from '@proofdesk/contract/permissions'
import type { Session } from '@proofdesk/contract/sessions'
import { compileOnce } from '../../db/compile-once.ts'
import type { Db } from '../../db/open.ts'
import type { KnownNetworkRow, SessionTokenRow } from '../../db/sign-in-tables.ts'
import type { Device } from '../../http/device.ts'
import { toViewer } from '../users/queries.ts'

/** The person behind a session, and whether signing in asks them for a second step. */
export interface SessionPerson {
  sessionId: number
  viewer: Viewer
  hasTwoFactor: boolean
}

const PERSON_COLUMNS = [
  's.id as session_id',
  'u.id',
  'u.username',
  'u.is_staff',
  'u.is_admin',
  'u.is_superuser',
  'u.is_email_verified',
  'u.gfa_is_enabled',
] as const

const findTokenWithPerson = compileOnce((db, given: { hash: string; now: number; begunAfter: number }) =>
  db
    .selectFrom('session_tokens as t')
    .innerJoin('sessions as s', 's.id', 't.session_id')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select(PERSON_COLUMNS)
    .where('t.hash', '=', given.hash)
    .where('t.kind', '=', 'access')
    .where('t.expires_at', '>', given.now)
    .where('s.created_at', '>', given.begunAfter)
    .where('u.is_active', '=', 1),
)

/**
 * Token, session and person in one query; nobody for expired tokens, ended sessions and deactivated people.
 * @param begunAfter Sessions that began earlier have lasted their longest.
 */
export async function findSignedIn(
  db: Db,
  hash: string,
  { now, begunAfter }: { now: number; begunAfter: number },
): Promise<SessionPerson | undefined> {
  const [row] = await findTokenWithPerson(db, { hash, now, begunAfter })
  return row && toSessionPerson(row)
}

function toSessionPerson(
  row: Parameters<typeof toViewer>[0] & { session_id: number; gfa_is_enabled: number },
): SessionPerson {
  return { sessionId: row.session_id, viewer: toViewer(row), hasTwoFactor: row.gfa_is_enabled === 1 }
}

/** People of those of these sessions that still stand. */
export async function listPeopleOfSessions(db: Db, sessionIds: number[], begunAfter: number): Promise<SessionPerson[]> {
  if (sessionIds.length === 0) return []
  const rows = await db
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select(PERSON_COLUMNS)
    .where('s.id', 'in', sessionIds)
    .where('s.created_at', '>', begunAfter)
    .where('u.is_active', '=', 1)
    .execute()
  return rows.map(toSessionPerson)
}

export async function insertSession(transaction: Db, userId: number, now: number, device: Device): Promise<number> {
  const { id } = await transaction
    .insertInto('sessions')
    .values({ user_id: userId, created_at: now, last_used_at: now, confirmed_at: now, ...device })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Ends the oldest sessions of a person beyond so many. While the person's row is held. */
export async function deleteOldestSessions(transaction: Db, userId: number, kept: number): Promise<void> {
  await transaction
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', 'not in', (eb) =>
      eb
        .selectFrom('sessions as newest')
        .select('newest.id')
        .where('newest.user_id', '=', userId)
        // Not by time: a clock that was ahead would make the one that begins now the oldest.
        .orderBy('newest.id', 'desc')
        .limit(kept),
    )
    .execute()
}

/** The sessions of one person that still stand, the newest first. */
export async function listSessionsOf(
  db: Db,
  userId: number,
  begunAfter: number,
): Promise<Omit<Session, 'is_current'>[]> {
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'created_at', 'last_used_at', 'browser', 'system', 'network'])
    .where('user_id', '=', userId)
    .where('created_at', '>', begunAfter)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ created_at, last_used_at, ...row }) => ({
    ...row,
    created_at: new Date(created_at).toISOString(),
    last_used_at: new Date(last_used_at).toISOString(),
  }))
}

/** @returns false when the person has no such session. */
export async function deleteSessionOf(db: Db, userId: number, sessionId: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('id', '=', sessionId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

export async function insertTokens(
  transaction: Db,
  rows: Omit<SessionTokenRow, 'used_at' | 'successor'>[],
): Promise<void> {
  await transaction
    .insertInto('session_tokens')
    .values(rows.map((row) => ({ ...row, used_at: null })))
    .execute()
}

/**
 * Holds the session of a refresh token for this transaction, before its tokens are touched: whoever ends a session holds
 * it first too, and two that wait for each other crosswise would end in a deadlock.
 */
export async function holdSessionOfRefresh(transaction: Db, hash: string): Promise<void> {
  await transaction
    .updateTable('sessions')
    .set((eb) => ({ created_at: eb.ref('created_at') }))
    .where('id', '=', (eb) =>
      eb.selectFrom('session_tokens').select('session_id').where('hash', '=', hash).where('kind', '=', 'refresh'),
    )
    .execute()
}

/**
 * Trades a refresh token: of several requests with the same one, this holds for one only.
 * @returns the session, or undefined when the token is unknown, expired or already used.
 */
export async function useRefreshToken(transaction: Db, hash: string, now: number): Promise<number | undefined> {
  const row = await transaction
    .updateTable('session_tokens')
    .set({ used_at: now })
    .where('hash', '=', hash)
    .where('kind', '=', 'refresh')
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('session_id')
    .executeTakeFirst()
  return row?.session_id
}

/**
 * Uses up the successor of a token that was traded a moment ago, where nobody has used it yet: the answer that carried it
 * got lost. Of several requests at once each finds the successor that the one before it made.
 * @returns the session, or undefined when it is no such token.
 */
export async function useLostSuccessor(
  transaction: Db,
  hash: string,
  { now, tradedAfter }: { now: number; tradedAfter: number },
): Promise<number | undefined> {
  const row = await transaction
    .updateTable('session_tokens')
    .set({ used_at: now })
    .where('kind', '=', 'refresh')
    .where('used_at', 'is', null)
    .where('hash', '=', (eb) =>
      eb
        .selectFrom('session_tokens as traded')
        .select('traded.successor')
        .where('traded.hash', '=', hash)
        .where('traded.kind', '=', 'refresh')
        .where('traded.used_at', '>', tradedAfter)
        .where('traded.expires_at', '>', now),
    )
    .returning('session_id')
    .executeTakeFirst()
  return row?.session_id
}

export async function setSuccessor(transaction: Db, hash: string, successor: string): Promise<void> {
  await transaction.updateTable('session_tokens').set({ successor }).where('hash', '=', hash).execute()
}

export async function noteSessionUse(transaction: Db, sessionId: number, at: number): Promise<void> {
  await transaction.updateTable('sessions').set({ last_used_at: at }).where('id', '=', sessionId).execute()
}

/** Whether a session may be renewed. */
export async function isSessionOfActiveUser(db: Db, sessionId: number, begunAfter: number): Promise<boolean> {
  const row = await db
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select('s.id')
    .where('s.id', '=', sessionId)
    .where('s.created_at', '>', begunAfter)
    .where('u.is_active', '=', 1)
    .executeTakeFirst()
  return row !== undefined
}

/** The session a refresh token belongs to, used or not. */
export async function findSessionOfRefresh(
  db: Db,
  hash: string,
): Promise<{ sessionId: number; isUsed: boolean } | undefined> {
  const row = await db
    .selectFrom('session_tokens')
    .select(['session_id', 'used_at'])
    .where('hash', '=', hash)
    .where('kind', '=', 'refresh')
    .executeTakeFirst()
  return row && { sessionId: row.session_id, isUsed: row.used_at !== null }
}

/** When the person of a session last showed who they are; undefined once it has ended. */
export async function findConfirmedAt(db: Db, sessionId: number): Promise<number | undefined> {
  const row = await db.selectFrom('sessions').select('confirmed_at').where('id', '=', sessionId).executeTakeFirst()
  return row?.confirmed_at
}

/** Holds a session for this transaction, after its person. @returns false once it has ended. */
export async function holdSession(transaction: Db, id: number): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('sessions')
    .set((eb) => ({ created_at: eb.ref('created_at') }))
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** @returns false once the session has ended. */
export async function markConfirmed(transaction: Db, sessionId: number, now: number): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('sessions')
    .set({ confirmed_at: now })
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Ends a session with all its tokens. @returns undefined for one that had ended already. */
export async function deleteSession(db: Db, id: number): Promise<{ id: number; userId: number } | undefined> {
  const row = await db.deleteFrom('sessions').where('id', '=', id).returning('user_id').executeTakeFirst()
  return row && { id, userId: row.user_id }
}

/** Ends all sessions of a person but one. @param keptId Undefined: all of them. @returns whether there were any */
export async function deleteSessionsOfUser(transaction: Db, userId: number, keptId?: number): Promise<boolean> {
  const all = transaction.deleteFrom('sessions').where('user_id', '=', userId)
  const { numDeletedRows } = await (
    keptId === undefined ? all : all.where('id', '!=', keptId)
  ).executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

export async function insertKnownNetwork(transaction: Db, row: KnownNetworkRow): Promise<void> {
  await transaction
    .insertInto('known_networks')
    .values(row)
    .onConflict((conflict) => conflict.columns(['user_id', 'mark']).doUpdateSet({ used_at: row.used_at }))
    .execute()
}

export async function hasKnownNetwork(db: Db, userId: number, mark: string): Promise<boolean> {
  const row = await db
    .selectFrom('known_networks')
    .select('mark')
    .where('user_id', '=', userId)
    .where('mark', '=', mark)
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteKnownNetworks(transaction: Db, usedBefore: number): Promise<void> {
  await transaction.deleteFrom('known_networks').where('used_at', '<=', usedBefore).execute()
}

/**
 * Removes what has run out or lasted its longest, and sessions that have nothing left to be renewed with.
 * @scans with `not exists`: once an hour every session is looked up among its tokens.
 */
export async function deleteExpired(transaction: Db, now: number, begunAfter: number): Promise<void> {
  await transaction.deleteFrom('sessions').where('created_at', '<=', begunAfter).execute()
  await transaction.deleteFrom('session_tokens').where('expires_at', '<=', now).execute()
  await transaction
    .deleteFrom('sessions')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('session_tokens')
            .select('session_tokens.hash')
            .whereRef('session_tokens.session_id', '=', 'sessions.id'),
        ),
      ),
    )
    .execute()
}

/** Everybody signs in anew: what ended after a backup must not come back with it. */
export async function deleteAllSessions(transaction: Db): Promise<void> {
  await transaction.deleteFrom('session_tokens').execute()
  await transaction.deleteFrom('sessions').execute()
}

/** Ends all of somebody's sessions, and forgets where they signed in from. */
export async function deleteSignInsOf(transaction: Db, userId: number): Promise<void> {
  await deleteSessionsOfUser(transaction, userId)
  await transaction.deleteFrom('known_networks').where('user_id', '=', userId).execute()
}
