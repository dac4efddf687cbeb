/** What a link to the tickets brings along in the history entry: the title of a ticket that is begun there. */
export function suggestTicket(title: string): { newTicket: string } {
  return { newTicket: title }
}

/** History state outlives reloads and deployments, so its shape is checked. */
export function readSuggestedTicket(entry: unknown): string | undefined {
  if (typeof entry !== 'object' || entry === null || !('newTicket' in entry)) return undefined
  return typeof entry.newTicket === 'string' ? entry.newTicket : undefined
}
