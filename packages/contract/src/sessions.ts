import { z } from 'zod'
import { Id, IdParams, say, Time, TOKEN } from './fields.ts'
import { pageOf } from './paging.ts'
import { route } from './route.ts'

export const Tokens = z.object({ access: z.string(), refresh: z.string() })
export type Tokens = z.infer<typeof Tokens>

/** Only looked up: one of any length that is not known is refused alike. */
const GivenRefresh = z
  .string({ error: say('field_required') })
  .min(1, say('field_required'))
  .meta(TOKEN)

export const refreshTokens = route({
  method: 'POST',
  path: '/token/refresh/',
  summary:
    'Trades a refresh token for a new pair. Each is good once; a second use ends the whole session, but for 30 seconds while the new pair was not renewed.',
  access: 'public',
  body: z.object({ refresh: GivenRefresh }),
  response: Tokens,
  errors: ['refresh_invalid'],
})

export const logOut = route({
  method: 'POST',
  path: '/auth/logout/',
  summary: 'Ends the session the access token or the refresh token belongs to. Repeating it is fine.',
  access: 'stale',
  isOpenBeforeTwoFactor: true,
  body: z.object({
    refresh: z.string().meta(TOKEN).nullish().describe('Null or empty where the client has none.'),
  }),
  response: z.object({ detail: z.string() }),
  errors: [],
})

/** A sign-in that still holds, in words that its owner knows again. */
export const Session = z.object({
  id: Id,
  created_at: Time,
  /** When it was begun or last renewed; a session in use is renewed every quarter of an hour. */
  last_used_at: Time,
  /** Null for a browser or system that is not known. */
  browser: z.string().nullable(),
  system: z.string().nullable(),
  /** Only the first part of the address it came from. */
  network: z.string().nullable(),
  /** Whether it is the one that asks. */
  is_current: z.boolean(),
})
export type Session = z.infer<typeof Session>

export const listSessions = route({
  method: 'GET',
  path: '/profile/sessions/',
  summary: 'One’s own sessions, the newest first.',
  access: 'bearer',
  isOpenBeforeTwoFactor: true,
  response: pageOf(Session),
  errors: [],
})

export const endOneSession = route({
  method: 'DELETE',
  path: '/profile/sessions/:id/',
  summary: 'Ends one of one’s own sessions.',
  access: 'bearer',
  isOfOwnAccount: true,
  isOpenBeforeTwoFactor: true,
  params: IdParams,
  status: 204,
  errors: ['session_not_found'],
})

export const endOtherSessions = route({
  method: 'POST',
  path: '/profile/sessions/end_others/',
  summary: 'Ends all of one’s own sessions but the one that asks.',
  access: 'bearer',
  isOfOwnAccount: true,
  isOpenBeforeTwoFactor: true,
  body: z.object({}).optional(),
  response: z.object({ detail: z.string() }),
  errors: [],
})
