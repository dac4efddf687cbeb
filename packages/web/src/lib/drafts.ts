import { makeRandomName } from './random-name.ts'
import { readSession, type SessionState } from './session.ts'

/**
 * What was typed and not sent yet. It lives as long as the tab, under the person who typed it, until it is sent or they log
 * out.
 */
const PREFIX = 'draft:'
/** Ends the key of what a draft is known by while it is sent. */
const SENDING = '#'

/** What the storage had no room for; it stands on the screen all the same. */
const unstored = new Map<string, string>()
const listeners = new Set<() => void>()

/** Key in session storage. @param name Of the field, with the id of what it belongs to: `comment:7` */
export function nameDraft(session: SessionState, name: string): string {
  return `${PREFIX}${session.phase === 'signed-in' ? session.user.id : 'visitor'}:${name}`
}

export function readDraft(key: string): string {
  return unstored.get(key) ?? sessionStorage.getItem(key) ?? ''
}

/** Tells of every draft that is written or forgotten. @returns what ends it */
export function watchDrafts(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/**
 * What the server knows a draft by, however often it is sent: the same until it is changed or forgotten. A reload keeps it, as it
 * keeps the draft.
 */
export function nameSending(key: string): string {
  const known = readDraft(key + SENDING)
  if (known) return known
  const name = makeRandomName()
  store(key + SENDING, name)
  return name
}

export function keepDraft(key: string, text: string): void {
  unstored.delete(key)
  // Whatever it says now is something else, also if it said so before.
  unstored.delete(key + SENDING)
  sessionStorage.removeItem(key + SENDING)
  if (text === '') sessionStorage.removeItem(key)
  else store(key, text)
  tellListeners()
}

function store(key: string, text: string): void {
  try {
    sessionStorage.setItem(key, text)
  } catch (error) {
    console.error('A draft could not be kept', error)
    unstored.set(key, text)
  }
}

/** Once it was sent; its screen may be gone by then. @param sent What of it was sent: anything typed since stays. */
export function forgetDraft(name: string, sent?: string): void {
  const key = nameDraft(readSession(), name)
  if (sent === undefined || readDraft(key) === sent) keepDraft(key, '')
}

export function clearDrafts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
  unstored.clear()
  tellListeners()
}

function tellListeners(): void {
  for (const listener of listeners) listener()
}
