import { keepCookie, readCookie } from './cookies.ts'

/**
 * Browsers hand local storage from one tab's process to the next with a delay, but cookies at once. So each new pair of
 * tokens gets a mark in both: a tab whose storage still shows the mark before last has not seen the newest token yet.
 */
const KEY = 'refresh_turn'
const COOKIE_SECONDS = 30 * 24 * 60 * 60
const LOOK_EVERY_MS = 20
/** Longer than any hand-over; past it the tab takes what it has. */
const PATIENCE_MS = 2_000

/** The mark that came with the access token this tab has. */
let ownTurn: string | null = null

/** Call it after the new refresh token was stored. @returns the mark, for the tabs that get the access token */
export function markTurn(): string {
  const turn = `${Date.now()}-${Math.random().toString(36).slice(2)}`
  ownTurn = turn
  localStorage.setItem(KEY, turn)
  keepCookie(KEY, turn, COOKIE_SECONDS)
  return turn
}

/** Call it with the mark another tab sent along with its access token. */
export function followTurn(turn: string): void {
  ownTurn = turn
}

export function clearTurn(): void {
  keepCookie(KEY, undefined)
}

/** Waits until this tab's storage shows what the last renewal, in whichever tab, has stored. */
export async function waitForTurn(): Promise<void> {
  await waitWhile(isBehind)
}

/** Waits, where another tab has renewed since, until its access token has come here as well. */
export async function waitForAccessOfTurn(): Promise<void> {
  await waitWhile(() => localStorage.getItem(KEY) !== ownTurn)
}

async function waitWhile(isSo: () => boolean): Promise<void> {
  const end = performance.now() + PATIENCE_MS
  while (isSo() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
}

function isBehind(): boolean {
  const newest = readCookie(KEY)
  return newest !== undefined && newest !== localStorage.getItem(KEY)
}
