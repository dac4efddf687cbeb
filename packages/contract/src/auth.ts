import { z } from 'zod'
import { Birthdate, Email, GivenPassword, Id, Name, NewPassword, PhoneNumber, Token, typedText, say } from './fields.ts'
import { USERNAME_MAX_LENGTH } from './limits.ts'
import { Provider } from './provider-login.ts'
import { route } from './route.ts'
import { UserInfo } from './users.ts'
import { Username } from './fields.ts'

export const Registration = z.object({
  email: Email,
  first_name: Name,
  last_name: Name,
  username: Username,
  password: NewPassword,
  phone_number: PhoneNumber,
  birthdate: Birthdate,
})

export const register = route({
  method: 'POST',
  path: '/auth/register/',
  summary: 'Makes an ordinary account and mails a link that verifies its address.',
  access: 'public',
  body: Registration,
  response: UserInfo,
  status: 201,
  errors: ['rate_limited', 'busy'],
})

/** Names are compared whatever their case, so only length and emptiness are judged here. */
const GivenUsername = typedText
  .refine((text) => text.length > 0, say('field_required'))
  .refine((text) => text.length <= USERNAME_MAX_LENGTH, say('username_too_long'))
  .meta({ examples: ['ada'] })

export const logIn = route({
  method: 'POST',
  path: '/auth/login/',
  summary: 'Signs in with username and password. A wrong name, a wrong password and a closed account answer alike.',
  access: 'public',
  body: z.object({ username: GivenUsername, password: GivenPassword }),
  response: UserInfo.extend({
    access: z.string().nullable(),
    refresh: z.string().nullable(),
    gfa_is_enabled: z.boolean(),
    user_id: Id,
    /** With two-factor on, in place of the tokens: what the code step is bound to. */
    challenge: z.string().nullable(),
  }),
  errors: ['wrong_credentials', 'rate_limited', 'busy'],
})

export const verifyEmail = route({
  method: 'POST',
  path: '/auth/verify-email/',
  summary:
    'Uses up the token of a verification mail. Links open a page; only this call uses the token up. One that has verified its address is told so with 409.',
  access: 'public',
  body: z.object({ token: Token }),
  response: z.object({ detail: z.string(), username: z.string() }),
  errors: ['link_invalid', 'email_already_verified', 'email_kept'],
})

export const setUp = route({
  method: 'POST',
  path: '/auth/setup/',
  summary: 'Makes the first superuser with the one-time token of the printed link; closed once one exists.',
  access: 'public',
  body: z.object({ token: Token, username: Username, email: Email, password: NewPassword }),
  response: UserInfo,
  status: 201,
  errors: ['setup_closed', 'busy'],
})

export const checkSetupLink = route({
  method: 'POST',
  path: '/auth/setup/check/',
  summary: 'Whether the printed link still works, before the form is filled in. It is not used up.',
  access: 'public',
  body: z.object({ token: Token }),
  status: 204,
  errors: ['setup_closed'],
})

/** What a stranger may know about this installation before signing in. */
export const showInstance = route({
  method: 'GET',
  path: '/instance/',
  summary: 'Name of the organisation, the limits that screens must state, and the identity providers.',
  access: 'public',
  response: z.object({
    organisation: z.string(),
    max_upload_mb: z.number(),
    is_test_instance: z.boolean(),
    /** Identity providers that a person may sign in with. */
    providers: z.array(Provider),
  }),
  errors: [],
})
