import type { Viewer } from '@proofdesk/contract/permissions'
import type { Db } from '../../db/open.ts'
import type { SessionTokenRow } from '../../db/schema.ts'
import type { SignedIn } from '../../http/handle.ts'
import { toViewer } from '../users/queries.ts'

/** Token, session and person in one query; nobody for expired tokens, ended sessions and deactivated people. */
export async function findSignedIn(db: Db, hash: string, now: number): Promise<SignedIn | undefined> {
  const row = await db
    .selectFrom('session_tokens as t')
    .innerJoin('sessions as s', 's.id', 't.session_id')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select([
      's.id as session_id',
      'u.id',
      'u.username',
      'u.is_staff',
      'u.is_admin',
      'u.is_superuser',
      'u.is_email_verified',
    ])
    .where('t.hash', '=', hash)
    .where('t.kind', '=', 'access')
    .where('t.expires_at', '>', now)
    .where('u.is_active', '=', 1)
    .executeTakeFirst()
  return row && { viewer: toViewer(row), sessionId: row.session_id }
}

/** People of those of these sessions that still stand, by session id. */
export async function findViewersOfSessions(db: Db, sessionIds: number[]): Promise<Map<number, Viewer>> {
  if (sessionIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select([
      's.id as session_id',
      'u.id',
      'u.username',
      'u.is_staff',
      'u.is_admin',
      'u.is_superuser',
      'u.is_email_verified',
    ])
    .where('s.id', 'in', sessionIds)
    .where('u.is_active', '=', 1)
    .execute()
  return new Map(rows.map((row) => [row.session_id, toViewer(row)]))
}

export async function insertSession(transaction: Db, userId: number, now: number): Promise<number> {
  const { id } = await transaction
    .insertInto('sessions')
    .values({ user_id: userId, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function insertTokens(transaction: Db, rows: Omit<SessionTokenRow, 'used_at'>[]): Promise<void> {
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

export async function isSessionOfActiveUser(db: Db, sessionId: number): Promise<boolean> {
  const row = await db
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select('s.id')
    .where('s.id', '=', sessionId)
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

/** Ends a session with all its tokens; an ended one may be ended again. */
export async function deleteSession(db: Db, sessionId: number): Promise<void> {
  await db.deleteFrom('sessions').where('id', '=', sessionId).execute()
}

/** Ends all sessions of a person but one. @param keptId Undefined: all of them. */
export async function deleteSessionsOfUser(transaction: Db, userId: number, keptId?: number): Promise<void> {
  const all = transaction.deleteFrom('sessions').where('user_id', '=', userId)
  await (keptId === undefined ? all : all.where('id', '!=', keptId)).execute()
}

/** Removes what has run out, and sessions that have nothing left to be renewed with. */
export async function deleteExpired(transaction: Db, now: number): Promise<void> {
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
