import { defineEvents } from '../../events/event.ts'

export const authEvents = defineEvents({
  /** @param user Null where nobody has the name. */
  sign_in_failed: (user: number | null, way: 'password' | 'provider') => ({
    audit: { actor: null, object: { kind: 'user', id: user }, details: { way } },
  }),
  /** Whoever has the session did not show that it is theirs. */
  confirmation_failed: (user: number) => ({ audit: { actor: null, object: { kind: 'user', id: user } } }),
  email_verified: (user: number) => ({
    audit: { actor: user, object: { kind: 'user', id: user } },
    // The mail may have been opened in another browser than where its account waits.
    tell: [{ topics: ['account'], user }],
  }),
})
