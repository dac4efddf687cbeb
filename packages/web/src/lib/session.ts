import { showUser } from '@proofdesk/contract/account'
import { logOut, refreshTokens, type Tokens } from '@proofdesk/contract/sessions'
import { UserInfo } from '@proofdesk/contract/users'
import { useSyncExternalStore } from 'react'
import { m } from '../paraglide/messages.js'
import { ApiError, NetworkError } from './api-error.ts'
import { readAnswer, send } from './send.ts'
import { withTabLock } from './tab-lock.ts'

/**
 * `checking`: a stored refresh token is being tried. `unreachable`: the server did not answer, so nothing is known; the
 * token is kept.
 */
export type SessionState =
  | { phase: 'checking' }
  | { phase: 'unreachable' }
  | { phase: 'signed-out' }
  | { phase: 'signed-in'; user: UserInfo }

/** Key of the refresh token in local storage (specification section 3). */
const REFRESH_KEY = 'refresh'
/** Must end before the lease of `withTabLock` does. */
const REFRESH_TIMEOUT_MS = 15_000

let state: SessionState = localStorage.getItem(REFRESH_KEY) ? { phase: 'checking' } : { phase: 'signed-out' }
/** Lives in memory only. */
let access: string | null = null
let renewal: Promise<string> | undefined
const listeners = new Set<() => void>()
/** Hands a renewed access token to the other tabs, so that one renews for all. */
const channel = new BroadcastChannel('session')

export function readSession(): SessionState {
  return state
}

export function readAccess(): string | null {
  return access
}

export function watchSession(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useSession(): SessionState {
  return useSyncExternalStore(watchSession, readSession)
}

/** The signed-in person, for screens behind the guard. */
export function useUser(): UserInfo {
  const session = useSession()
  if (session.phase !== 'signed-in') throw new Error('This screen is only for signed-in people.')
  return session.user
}

/** Tries the stored refresh token, then loads the person. Run once when the page loads, and to retry. */
export async function restoreSession(): Promise<void> {
  if (!localStorage.getItem(REFRESH_KEY)) return setState({ phase: 'signed-out' })
  setState({ phase: 'checking' })
  try {
    await renewAccess(access)
    await reloadUser()
  } catch (error) {
    if (isVerdict(error)) endSession()
    else setState({ phase: 'unreachable' })
  }
}

/** Begins a session with what a sign-in call answered. */
export function startSession(tokens: Tokens, user: UserInfo): void {
  access = tokens.access
  localStorage.setItem(REFRESH_KEY, tokens.refresh)
  setState({ phase: 'signed-in', user: UserInfo.parse(user) })
}

/** Loads the person anew, for example after their e-mail was verified. @throws ApiError, NetworkError */
export async function reloadUser(): Promise<void> {
  const user = await readAnswer(showUser, await send(showUser, {}, { access }))
  if (access) setState({ phase: 'signed-in', user })
}

/**
 * Trades the refresh token for a new pair, once for all callers and tabs.
 * @param spent The access token that was refused, so that one another tab brought meanwhile is used instead.
 */
export function renewAccess(spent: string | null): Promise<string> {
  renewal ??= withTabLock('session-refresh', () => renewUnderLock(spent)).finally(() => {
    renewal = undefined
  })
  return renewal
}

async function renewUnderLock(spent: string | null): Promise<string> {
  if (access !== null && access !== spent) return access
  try {
    const tokens = await tradeRefreshToken()
    access = tokens.access
    localStorage.setItem(REFRESH_KEY, tokens.refresh)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel stays within the origin
    channel.postMessage({ access })
    return tokens.access
  } catch (error) {
    if (isVerdict(error)) endSession()
    throw error
  }
}

async function tradeRefreshToken(): Promise<Tokens> {
  const refresh = localStorage.getItem(REFRESH_KEY)
  if (!refresh) throw new Error(m.no_refresh_token())
  const signal = AbortSignal.timeout(REFRESH_TIMEOUT_MS)
  const response = await send(refreshTokens, { body: { refresh } }, { access: null, signal })
  return readAnswer(refreshTokens, response).catch((error: unknown) => {
    throw error instanceof NetworkError ? error : new Error(m.no_access_token(), { cause: error })
  })
}

/** Whether the server judged the token, as opposed to being down, busy or out of reach. */
function isVerdict(error: unknown): boolean {
  if (error instanceof NetworkError || error instanceof DOMException) return false
  if (!(error instanceof ApiError)) return true
  return error.status >= 400 && error.status < 500 && error.status !== 408 && error.status !== 429
}

/** Ends the session on the server. @throws when the call fails; then nothing is cleared here either. */
export async function signOutOnServer(): Promise<void> {
  const body = { refresh: localStorage.getItem(REFRESH_KEY) ?? undefined }
  try {
    await send(logOut, { body }, { access })
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
    await renewAccess(access)
    await send(logOut, { body: { refresh: localStorage.getItem(REFRESH_KEY) ?? undefined } }, { access })
  }
}

/** Forgets the person and clears local storage; other tabs follow. */
export function endSession(): void {
  localStorage.clear()
  forgetPerson()
}

function forgetPerson(): void {
  access = null
  setState({ phase: 'signed-out' })
}

function setState(next: SessionState): void {
  state = next
  for (const listener of listeners) listener()
}

channel.addEventListener('message', ({ data }: MessageEvent<{ access?: unknown }>) => {
  if (state.phase !== 'signed-out' && typeof data?.access === 'string') access = data.access
})

// Another tab signed out (or cleared everything), or signed in.
addEventListener('storage', ({ key }) => {
  if (key !== null && key !== REFRESH_KEY) return
  const isStored = localStorage.getItem(REFRESH_KEY) !== null
  if (!isStored && state.phase !== 'signed-out') forgetPerson()
  if (isStored && state.phase === 'signed-out') void restoreSession()
})
