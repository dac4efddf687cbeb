import { defineEvents } from '../../events/event.ts'

/** What showed who somebody is. */
export type WayIn = 'password' | 'code' | 'provider' | 'join'

const session = (id: number) => ({ kind: 'session', id }) as const

export const sessionEvents = defineEvents({
  signed_in: (user: number, id: number, way: WayIn) => ({
    audit: { actor: user, object: session(id), details: { way } },
  }),
  signed_out: (user: number, id: number) => ({ audit: { actor: user, object: session(id) } }),
  session_ended: (user: number, id: number) => ({ audit: { actor: user, object: session(id) } }),
  sessions_ended: (by: number, user: number) => ({ audit: { actor: by, object: { kind: 'user', id: user } } }),
  /** A refresh token came twice: somebody has a copy of it. */
  session_reused: (user: number, id: number) => ({ audit: { actor: null, object: session(id), details: { user } } }),
})
