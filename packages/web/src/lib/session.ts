import type { Tokens } from '@proofdesk/contract/sessions'
import type { UserInfo } from '@proofdesk/contract/users'
import { createStore, useStore } from './store.ts'
import { clearTurn, followTurn, markTurn, readTurnPerson } from './token-turn.ts'

/**
 * `checking`: a stored refresh token is being tried. `unreachable`: the server did not answer, so nothing is known; the
 * token is kept.
 */
export type SessionState =
  | { phase: 'checking' }
  | { phase: 'unreachable' }
  /** `wasEnded`: the server has judged the stored token, so the sign-in says why it is there. */
  | { phase: 'signed-out'; wasEnded?: true }
  /** `hasEnded`: the server has ended the session in the middle of work; the screen stays until the person decides. */
  | { phase: 'signed-in'; user: UserInfo; hasEnded?: true }

/** Key of the refresh token in local storage (specification section 3). */
export const REFRESH_KEY = 'refresh'

const state = createStore<SessionState>(readRefresh() === null ? { phase: 'signed-out' } : { phase: 'checking' })
/** Lives in memory only. */
let access: string | null = null

export const { read: readSession, watch: watchSession, write: setSession } = state

export function useSession(): SessionState {
  return useStore(state)
}

/** Undefined where nobody is signed in. */
export function readPersonId(): number | undefined {
  const session = readSession()
  return session.phase === 'signed-in' ? session.user.id : undefined
}

/** Tells when somebody else is signed in than before, or nobody any more. */
export function watchPerson(changed: (id: number | undefined) => void): void {
  let before = readPersonId()
  watchSession(() => {
    const next = readPersonId()
    if (next === before) return
    before = next
    changed(next)
  })
}

/** The signed-in person, for screens behind the guard. */
export function useUser(): UserInfo {
  const session = useSession()
  if (session.phase !== 'signed-in') throw new Error('This screen is only for signed-in people.')
  return session.user
}

export function readAccess(): string | null {
  return access
}

export function readRefresh(): string | null {
  return localStorage.getItem(REFRESH_KEY)
}

/**
 * Whether somebody else than is shown here has signed in, in another tab.
 * @param turn Mark of their tokens; of those stored when absent.
 */
export function isOthersTurn(turn?: string): boolean {
  const [person, shown] = [readTurnPerson(turn), readPersonId()]
  return person !== undefined && shown !== undefined && person !== shown
}

/** Keeps a new pair. @param personId As `markTurn` takes it. @returns the mark of its turn, for the other tabs */
export function keepTokens(tokens: Tokens, personId: number | undefined): string {
  access = tokens.access
  localStorage.setItem(REFRESH_KEY, tokens.refresh)
  return markTurn(personId)
}

/** Keeps the access token of a pair that another tab has stored. */
export function keepAccess(newAccess: string, turn: string): void {
  access = newAccess
  followTurn(turn)
}

/** Begins a session with what a sign-in call answered. */
export function startSession(tokens: Tokens, user: UserInfo): void {
  keepTokens(tokens, user.id)
  setSession({ phase: 'signed-in', user })
}

/** Records what the server has just said of the signed-in person. */
export function changeUser(changes: Partial<UserInfo>): void {
  const session = readSession()
  if (session.phase === 'signed-in') setSession({ phase: 'signed-in', user: { ...session.user, ...changes } })
}

let isLeaving = false

/** Set while the person logs out: what the server refuses from then on is no news to them. */
export function setLeaving(isSo: boolean): void {
  isLeaving = isSo
}

export const readLeaving = (): boolean => isLeaving

// Whoever is signed in next, in whichever way, is not leaving.
watchPerson(() => setLeaving(false))

/** Keeps the person on screen whose session the server has ended; `SignInAgain` asks them to sign in. */
export function suspendSession(): void {
  const session = readSession()
  if (session.phase === 'signed-in') setSession({ ...session, hasEnded: true })
}

/** Forgets the person and clears local storage; other tabs follow. @param reason `ended`: the server's verdict */
export function endSession(reason: 'left' | 'ended' = 'left'): void {
  localStorage.clear()
  clearTurn()
  access = null
  setSession({ phase: 'signed-out', ...(reason === 'ended' && { wasEnded: true }) })
}

/** Forgets the person here; what another tab stored stays. */
export function forgetPerson(): void {
  access = null
  setSession({ phase: 'signed-out' })
}
