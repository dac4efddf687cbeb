import { z } from 'zod'
import { Token } from './fields.ts'
import { route } from './route.ts'

export const Tokens = z.object({ access: z.string(), refresh: z.string() })
export type Tokens = z.infer<typeof Tokens>

export const refreshTokens = route({
  method: 'POST',
  path: '/token/refresh/',
  summary: 'Trades a refresh token for a new pair. Each is good once; a second use ends the whole session.',
  access: 'public',
  body: z.object({ refresh: Token }),
  response: Tokens,
  errors: ['refresh_invalid'],
})

export const logOut = route({
  method: 'POST',
  path: '/auth/logout/',
  summary: 'Ends the session the access token or the refresh token belongs to. Repeating it is fine.',
  access: 'bearer',
  body: z.object({ refresh: Token.optional() }),
  response: z.object({ detail: z.string() }),
  errors: [],
})
