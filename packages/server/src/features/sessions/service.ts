import { ACCESS_TOKEN_SECONDS, REFRESH_TOKEN_SECONDS } from '@proofdesk/contract/limits'
import type { Tokens } from '@proofdesk/contract/sessions'
import type { Db } from '../../db/open.ts'
import { AppError } from '../../errors.ts'
import type { SignedIn } from '../../http/handle.ts'
import { hashToken, looksLikeToken, makeToken } from '../../tokens.ts'
import {
  deleteExpired,
  deleteSession,
  findSessionOfRefresh,
  holdSessionOfRefresh,
  findSignedIn,
  insertSession,
  insertTokens,
  isSessionOfActiveUser,
  useRefreshToken,
} from './queries.ts'

interface SessionDeps {
  db: Db
  reads: Db
  now: () => number
}

/** Whose access token this is. */
export function findCaller({ reads, now }: SessionDeps, token: string): Promise<SignedIn | undefined> {
  return findSignedIn(reads, hashToken(token), now())
}

/** Begins a session, in the transaction of whatever proved who they are. */
export async function beginSession(transaction: Db, now: number, userId: number): Promise<Tokens> {
  return issueTokens(transaction, now, await insertSession(transaction, userId, now))
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

/**
 * Trades a refresh token for a new pair. A token traded twice was copied by somebody: its whole session ends, also for
 * the one who was first.
 * @throws AppError `refresh_invalid`
 */
export async function rotateTokens({ db, now }: SessionDeps, refresh: string): Promise<Tokens> {
  if (!looksLikeToken(refresh)) throw new AppError('refresh_invalid')
  const hash = hashToken(refresh)
  const tokens = await db.transaction().execute(async (transaction) => {
    await holdSessionOfRefresh(transaction, hash)
    const sessionId = await useRefreshToken(transaction, hash, now())
    if (sessionId !== undefined) {
      if (await isSessionOfActiveUser(transaction, sessionId)) return issueTokens(transaction, now(), sessionId)
      await deleteSession(transaction, sessionId)
      return undefined
    }
    const family = await findSessionOfRefresh(transaction, hash)
    if (family?.isUsed) await deleteSession(transaction, family.sessionId)
    return undefined
  })
  // Thrown after the commit: the end of the family must stand.
  if (!tokens) throw new AppError('refresh_invalid')
  return tokens
}

/** Ends the session of the caller's access token and that of the refresh token, where they are still there. */
export async function endSession(
  { db }: SessionDeps,
  signedIn: SignedIn | null,
  refresh: string | undefined,
): Promise<void> {
  if (signedIn) await deleteSession(db, signedIn.sessionId)
  if (refresh === undefined || !looksLikeToken(refresh)) return
  const family = await findSessionOfRefresh(db, hashToken(refresh))
  if (family) await deleteSession(db, family.sessionId)
}

/** Runs every hour. */
export async function sweepSessions({ db, now }: SessionDeps): Promise<void> {
  await db.transaction().execute((transaction) => deleteExpired(transaction, now()))
}
