import { z } from 'zod'
import { exactText, FlagQuery, Id, IdParams, say, Time } from './fields.ts'
import { SEARCH_MAX_LENGTH } from './limits.ts'
import { OrderingQuery, PageQuery, searchPageOf } from './paging.ts'
import { route } from './route.ts'
import { Session } from './sessions.ts'

/** One row of the users screen (specification section 3, User). */
export const ManagedUser = z.object({
  id: Id,
  username: z.string(),
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  date_joined: Time,
  is_active: z.boolean(),
  is_admin: z.boolean(),
  is_staff: z.boolean(),
  is_superuser: z.boolean(),
  is_email_verified: z.boolean(),
  gfa_is_enabled: z.boolean(),
  may: z
    .object({
      is_active: z.boolean(),
      is_superuser: z.boolean(),
      is_admin: z.boolean(),
      is_staff: z.boolean(),
      is_email_verified: z.boolean(),
      gfa_is_enabled: z.boolean(),
    })
    .describe('Which flags the caller may turn to their other value.'),
})
export type ManagedUser = z.infer<typeof ManagedUser>

/** One person as only superusers see them. */
export const Person = ManagedUser.extend({
  /** Null before the first. */
  last_sign_in_at: Time.nullable(),
  /** Whether an authenticator app is set up; it is kept while two-factor is switched off by somebody else. */
  has_authenticator: z.boolean(),
  /** Where a password reset goes: an address that is only claimed, or was verified by hand, is not it. */
  recovery_email: z.string(),
  sessions: z.array(Session),
})
export type Person = z.infer<typeof Person>

/** What the users screen can set; the superuser flag is none of them (specification section 6). */
export const UserFlag = z.enum(['is_active', 'gfa_is_enabled', 'is_email_verified', 'is_admin', 'is_staff'])
export type UserFlag = z.infer<typeof UserFlag>

/** What can be set at all: the superuser flag is only ever taken away here. */
export type SettableFlag = UserFlag | 'is_superuser'

export interface UserFlagChange {
  flag: SettableFlag
  value: boolean
}

const flagValue = z.boolean({ error: say('flag_invalid') }).optional()

/** A body with exactly one of the flags. */
const UserFlagBody = z
  .strictObject(
    {
      is_active: flagValue,
      gfa_is_enabled: flagValue,
      is_email_verified: flagValue,
      is_admin: flagValue,
      is_staff: flagValue,
      // Giving it is refused like any right that the caller has not: 403, whoever asks.
      is_superuser: flagValue,
    },
    { error: say('user_one_field') },
  )
  .transform((body, context): UserFlagChange => {
    const [change, ...others] = [...UserFlag.options, 'is_superuser' as const].flatMap((flag): UserFlagChange[] => {
      const value = body[flag]
      return value === undefined ? [] : [{ flag, value }]
    })
    if (change && others.length === 0) return change
    // A field that is no flag was refused in these words already.
    if (context.issues.length === 0) context.addIssue({ code: 'custom', message: say('user_one_field') })
    return z.NEVER
  })

export const listUsers = route({
  method: 'GET',
  path: '/admin/users/',
  summary: 'All accounts, for admins and superusers; newest first, ten a page.',
  access: 'bearer',
  query: z.object({
    page: PageQuery,
    is_admin: FlagQuery.optional(),
    is_staff: FlagQuery.optional(),
    search: exactText
      .max(SEARCH_MAX_LENGTH, say('search_too_long'))
      .meta({ description: 'In usernames and e-mail addresses, whatever their case.', examples: ['ada'] })
      .optional(),
    ordering: OrderingQuery([
      'is_active',
      'is_email_verified',
      'date_joined',
      'is_admin',
      'is_staff',
      'id',
      'username',
      'email',
    ]),
  }),
  response: searchPageOf(ManagedUser),
  errors: ['forbidden', 'email_not_verified', 'page_not_found', 'read_timed_out'],
})

export const setUserFlag = route({
  method: 'PATCH',
  path: '/admin/users/:id/',
  summary:
    'Sets one flag of an account, or takes the superuser flag away. Who is deactivated is signed out everywhere at once.',
  access: 'bearer',
  params: IdParams,
  body: UserFlagBody,
  response: ManagedUser,
  errors: [
    'forbidden',
    'email_not_verified',
    'own_account_active',
    'own_account_email',
    'own_account_two_factor',
    'own_account_superuser',
    'last_superuser',
    'user_not_found',
    'authenticator_missing',
    'email_kept',
    'email_taken',
  ],
})

export const showPerson = route({
  method: 'GET',
  path: '/admin/users/:id/',
  summary: 'One person with their sessions, for superusers.',
  access: 'bearer',
  params: IdParams,
  response: Person,
  errors: ['forbidden', 'email_not_verified', 'user_not_found'],
})

export const endSessionsOfPerson = route({
  method: 'POST',
  path: '/admin/users/:id/end_sessions/',
  summary: 'Signs a person out everywhere, for superusers.',
  access: 'bearer',
  params: IdParams,
  body: z.object({}).optional(),
  response: z.object({ detail: z.string() }),
  errors: ['forbidden', 'email_not_verified', 'user_not_found'],
})
