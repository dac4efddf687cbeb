import type { Viewer } from '@proofdesk/contract/permissions'

/** Who looks at the tickets: a signed-in person, or a visitor by the address they gave. */
export type Asker = { viewer: Viewer; email: null } | { viewer: null; email: string }

/** What every call on tickets sends beside its own query: people have a token instead. */
export function queryOf({ email }: Asker): { email?: string } {
  return email === null ? {} : { email }
}

/** Keeps the answers of one apart from those of the next. */
export function keyOf({ viewer, email }: Asker): string {
  return viewer ? `user ${viewer.id}` : `visitor ${email}`
}
