import { readSession, type SessionState } from './session.ts'

/**
 * What was typed and not sent yet. It lives as long as the tab, under the person who typed it, until it is sent or they log
 * out.
 */
const PREFIX = 'draft:'

/** Key in session storage. @param name Of the field, with the id of what it belongs to: `comment:7` */
export function nameDraft(session: SessionState, name: string): string {
  return `${PREFIX}${session.phase === 'signed-in' ? session.user.id : 'visitor'}:${name}`
}

export function readDraft(key: string): string {
  return sessionStorage.getItem(key) ?? ''
}

export function keepDraft(key: string, text: string): void {
  if (text === '') return sessionStorage.removeItem(key)
  try {
    sessionStorage.setItem(key, text)
  } catch (error) {
    // The storage is full: the text still stands on the screen.
    console.error('A draft could not be kept', error)
  }
}

/** Once it was sent; its screen may be gone by then. */
export function forgetDraft(name: string): void {
  sessionStorage.removeItem(nameDraft(readSession(), name))
}

export function clearDrafts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
}
