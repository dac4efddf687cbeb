import { keepCookie, readCookie } from './cookies.ts'

/**
 * Browsers hand local storage from one tab's process to the next with a delay, but cookies at once. So each new pair of
 * tokens gets a mark in both: a tab whose storage still shows the mark before last has not seen the newest token yet.
 * In the storage the id of the person follows it after a dot, so that a tab knows whose the stored token is.
 */
export const TURN_KEY = 'refresh_turn'
const COOKIE_SECONDS = 30 * 24 * 60 * 60
const LOOK_EVERY_MS = 20
/** Longer than any hand-over; past it the tab takes what it has. */
const PATIENCE_MS = 2_000

/** The mark that came with the access token this tab has. */
let ownTurn: string | null = null

/**
 * Call it after the new refresh token was stored.
 * @param personId Whose it is; undefined where that was never written down.
 * @returns the mark, for the tabs that get the access token
 */
export function markTurn(personId: number | undefined): string {
  const cookie = `${Date.now()}-${Math.random().toString(36).slice(2)}`
  const turn = personId === undefined ? cookie : `${cookie}.${personId}`
  ownTurn = turn
  localStorage.setItem(TURN_KEY, turn)
  keepCookie(TURN_KEY, cookie, COOKIE_SECONDS)
  return turn
}

/** Whose tokens a mark stands for; undefined where it does not say. @param turn That of the stored token when absent. */
export function readTurnPerson(turn: string | null = localStorage.getItem(TURN_KEY)): number | undefined {
  const id = turn?.split('.')[1]
  return id === undefined ? undefined : Number(id)
}

/** Call it with the mark another tab sent along with its access token. */
export function followTurn(turn: string): void {
  ownTurn = turn
}

export function clearTurn(): void {
  keepCookie(TURN_KEY, undefined)
}

/** Waits until this tab's storage shows what the last renewal, in whichever tab, has stored. */
export async function waitForTurn(): Promise<void> {
  await waitWhile(isBehind)
}

/** Waits, where another tab has renewed since, until its access token has come here as well. */
export async function waitForAccessOfTurn(): Promise<void> {
  await waitWhile(() => localStorage.getItem(TURN_KEY) !== ownTurn)
}

async function waitWhile(isSo: () => boolean): Promise<void> {
  const end = performance.now() + PATIENCE_MS
  while (isSo() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
}

/** The mark that was set last in any tab, without its person; undefined after somebody has logged out. */
export function readNewestTurn(): string | undefined {
  return readCookie(TURN_KEY)
}

function isBehind(): boolean {
  const newest = readNewestTurn()
  return newest !== undefined && newest !== localStorage.getItem(TURN_KEY)?.split('.')[0]
}
