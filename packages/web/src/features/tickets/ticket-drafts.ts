import type { Asker } from './asker.ts'

// Names of drafts. A visitor's stand under their address: whoever goes by another one in the same tab finds none of them.

export function draftOfTicket({ email }: Asker): string {
  return email === null ? 'ticket-title' : `ticket-title:${email}`
}

export function draftOfMessage({ email }: Asker, ticket: number): string {
  return email === null ? `message:${ticket}` : `message:${ticket}:${email}`
}
