import { showUser } from '@proofdesk/contract/account'
import type { ErrorCode } from '@proofdesk/contract/errors'
import { logOut, refreshTokens, type Tokens } from '@proofdesk/contract/sessions'
import type { UserInfo } from '@proofdesk/contract/users'
import { m } from '../paraglide/messages.js'
import { ApiError, NetworkError } from './api-error.ts'
import { clearDrafts } from './drafts.ts'
import { followOtherPerson } from './restore-session.ts'
import { readAnswer, send } from './send.ts'
import {
  endSession,
  isOthersTurn,
  keepAccess,
  keepTokens,
  readAccess,
  readLeaving,
  readPersonId,
  readRefresh,
  readSession,
  setLeaving,
  setSession,
} from './session.ts'
import { withTabLock } from './tab-lock.ts'
import { readNewestTurn, readTurnPerson, waitForAccessOfTurn, waitForTurn } from './token-turn.ts'

/** Must end before the lease of `withTabLock` does. */
const REFRESH_TIMEOUT_MS = 15_000

let renewal: Promise<string> | undefined
/** Hands a renewed access token to the other tabs, so that one renews for all. */
const channel = new BroadcastChannel('session')

/** Renews the access token and loads the person. A verdict of the server ends the session; no answer is thrown. */
export async function restoreFromServer(): Promise<void> {
  try {
    const access = await renewAccess(readAccess())
    setSession({ phase: 'signed-in', user: await askPerson(access) })
  } catch (error) {
    if (!isVerdict(error)) throw error
    endSession('ended')
  }
}

/** Loads the signed-in person anew, for example after their e-mail was verified. A failure is only logged. */
export async function reloadUser(): Promise<void> {
  await takeAnswer(askRenewed(readAccess()))
}

async function takeAnswer(answer: Promise<UserInfo>): Promise<void> {
  try {
    takeUser(await answer)
  } catch (error) {
    console.error('The signed-in person could not be loaded', error)
  }
}

function takeUser(user: UserInfo): void {
  const session = readSession()
  if (session.phase !== 'signed-in' || session.user.id !== user.id) return
  // What has not changed is not drawn anew.
  if (!session.hasEnded && JSON.stringify(session.user) === JSON.stringify(user)) return
  setSession({ phase: 'signed-in', user })
}

async function askPerson(access: string | null): Promise<UserInfo> {
  return readAnswer(showUser, await send(showUser, {}, { access }))
}

/** Also with an access token that is spent. */
async function askRenewed(access: string | null): Promise<UserInfo> {
  try {
    return await askPerson(access)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
    return askPerson(await renewAccess(access))
  }
}

/** Has the other tabs load the person anew: something about them has changed. */
export function tellChange(): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel stays within the origin
  channel.postMessage({ hasChanged: true })
}

/**
 * Trades the refresh token for a new pair, once for all callers and tabs.
 * @param spent The access token that was refused, so that one another tab brought meanwhile is used instead.
 * @throws the server's verdict, see `isVerdict`, when the session has ended; what follows is the caller's business
 */
export function renewAccess(spent: string | null): Promise<string> {
  renewal ??= withTabLock('session-refresh', () => renewUnderLock(spent)).finally(() => {
    renewal = undefined
  })
  return renewal
}

async function renewUnderLock(spent: string | null): Promise<string> {
  await waitForTurn()
  if (spent !== null && !isOthersTurn()) await waitForAccessOfTurn()
  // The stored token may be another person's by now. It is not traded for the one that is shown.
  followOtherPerson()
  const known = readAccess()
  if (known !== null && known !== spent) return known
  const [personId, turnBefore] = [readTurnPerson(), readNewestTurn()]
  const tokens = await tradeRefreshToken()
  // Whoever has logged out or signed in meanwhile, here or in another tab, decides what is stored.
  if (readNewestTurn() !== turnBefore) return renewUnderLock(spent)
  const turn = keepTokens(tokens, personId)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel stays within the origin
  channel.postMessage({ access: tokens.access, turn })
  followRights()
  return tokens.access
}

/**
 * Somebody else may have changed what the person may do here: with each renewal they are asked for anew. A new token that is
 * refused is not renewed for it.
 */
function followRights(): void {
  if (readPersonId() !== undefined && !readLeaving()) void takeAnswer(askPerson(readAccess()))
}

/** There is no token to trade, or none came for it. */
class NoToken extends Error {}

/** @throws NetworkError also where a page of something before the server answers, as while it is put up anew */
async function tradeRefreshToken(): Promise<Tokens> {
  const refresh = readRefresh()
  if (refresh === null) throw new NoToken(m.no_refresh_token())
  const signal = AbortSignal.timeout(REFRESH_TIMEOUT_MS)
  const response = await send(refreshTokens, { body: { refresh } }, { access: null, signal }).catch(explainRefusal)
  try {
    return await readAnswer(refreshTokens, response)
  } catch (error) {
    if (error instanceof NetworkError) throw error
    const isOurs = response.headers.get('content-type')?.startsWith('application/json')
    throw isOurs ? new NoToken(m.no_access_token(), { cause: error }) : sayNothingCame(error)
  }
}

/** @throws the refusal; one without our words is none of ours, and says nothing of the token */
function explainRefusal(error: unknown): never {
  throw error instanceof ApiError && !error.body.detail ? sayNothingCame(error) : error
}

const sayNothingCame = (cause: unknown) => new NetworkError(m.server_silent_title(), { cause })

/** That the token is not good, that it looks like none, and that the access token of a session that has ended is refused. */
const VERDICTS: readonly ErrorCode[] = ['refresh_invalid', 'invalid', 'not_signed_in']

/** Whether the server judged the token, as opposed to being down, busy or out of reach, or another answering in its place. */
export function isVerdict(error: unknown): boolean {
  return error instanceof NoToken || (error instanceof ApiError && VERDICTS.includes(error.body.code))
}

/**
 * Ends the session on the server; drafts go here and in all other tabs.
 * @throws when the call fails, or somebody else has signed in, in another tab; then nothing is cleared here either.
 */
export async function signOutOnServer(): Promise<void> {
  if (followOtherPerson()) throw new Error('Somebody else has signed in meanwhile.')
  setLeaving(true)
  try {
    await sendLogOut().catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.status !== 401) throw error
      return logOutRenewed()
    })
  } catch (error) {
    setLeaving(false)
    throw error
  }
  clearDraftsEverywhere()
}

/** Here and in all other tabs: whoever wrote them has left. */
export function clearDraftsEverywhere(): void {
  clearDrafts()
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel stays within the origin
  channel.postMessage({ hasLoggedOut: true })
}

async function logOutRenewed(): Promise<void> {
  try {
    await renewAccess(readAccess())
  } catch (error) {
    // It has ended already.
    if (isVerdict(error)) return
    throw error
  }
  await sendLogOut()
}

async function sendLogOut(): Promise<void> {
  await send(logOut, { body: { refresh: readRefresh() ?? undefined } }, { access: readAccess() })
}

interface TabMessage {
  access?: unknown
  turn?: unknown
  hasLoggedOut?: unknown
  hasChanged?: unknown
}

channel.addEventListener('message', ({ data }: MessageEvent<TabMessage | null>) => {
  if (data?.hasLoggedOut === true) clearDrafts()
  if (readSession().phase === 'signed-out') return
  if (data?.hasChanged === true) void reloadUser()
  if (typeof data?.access !== 'string' || typeof data.turn !== 'string') return
  if (followOtherPerson(data.turn)) return
  keepAccess(data.access, data.turn)
  followRights()
})
