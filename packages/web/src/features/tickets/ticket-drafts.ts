import type { Asker } from './asker.ts'

// Names of drafts. A visitor's stand under their address: whoever goes by another one in the same tab finds none of them.

/** @param suggested The title that a link brought along: it takes the place of none that was begun here. */
export function draftOfTicket({ email }: Asker, suggested?: string): string {
  if (suggested !== undefined) return 'suggested-ticket-title'
  return email === null ? 'ticket-title' : `ticket-title:${email}`
}

export function draftOfMessage({ email }: Asker, ticket: number): string {
  return email === null ? `message:${ticket}` : `message:${ticket}:${email}`
}
