import { z } from 'zod'
import {
  Birthdate,
  Email,
  GivenEmail,
  GivenPassword,
  Name,
  NewPassword,
  orEmpty,
  PhoneNumber,
  say,
  Token,
} from './fields.ts'
import { Provider } from './provider-login.ts'
import { route } from './route.ts'
import { IDENTITY_ERRORS, TypedCode } from './two-factor.ts'
import { UserInfo } from './users.ts'

export const showUser = route({
  method: 'GET',
  path: '/user/info',
  summary: 'The signed-in person and their roles.',
  access: 'bearer',
  isOpenBeforeTwoFactor: true,
  response: UserInfo,
  errors: [],
})

export const resendVerification = route({
  method: 'POST',
  path: '/profile/resend_verification_email/',
  summary: 'Mails a new verification link; earlier ones stop working.',
  access: 'bearer',
  isOfOwnAccount: true,
  body: z.object({}).optional(),
  response: z.object({ detail: z.string() }),
  errors: ['email_already_verified', 'email_taken', 'rate_limited'],
})

/** Empty fields are null. */
export const Profile = z.object({
  username: z.string(),
  email: z.string(),
  first_name: z.string().nullable(),
  last_name: z.string().nullable(),
  phone_number: z.string().nullable(),
  birthdate: z.string().nullable(),
  gfa_is_enabled: z.boolean(),
  is_email_verified: z.boolean(),
})
export type Profile = z.infer<typeof Profile>

export const showProfile = route({
  method: 'GET',
  path: '/profile/info/',
  summary: 'The signed-in person’s profile.',
  access: 'bearer',
  isOpenBeforeTwoFactor: true,
  response: Profile,
  errors: [],
})

export const updateProfile = route({
  method: 'PATCH',
  path: '/profile/update_profile/',
  summary: 'Changes the profile. Another e-mail is unverified until its mailed link is used; the old one is told.',
  access: 'bearer',
  isOfOwnAccount: true,
  body: z.object({
    email: Email.optional(),
    first_name: orEmpty(Name),
    last_name: orEmpty(Name),
    phone_number: orEmpty(PhoneNumber),
    birthdate: z.union([z.undefined(), Birthdate], { error: say('birthdate_invalid') }),
  }),
  response: Profile,
  errors: ['profile_changed', 'confirm_identity', 'rate_limited'],
})

export const changePassword = route({
  method: 'POST',
  path: '/password/change/',
  summary: 'Sets a new password in place of the old one; all other sessions end.',
  access: 'bearer',
  isOfOwnAccount: true,
  isOpenBeforeTwoFactor: true,
  body: z.object({ old_password: GivenPassword, new_password: NewPassword }),
  response: z.object({ detail: z.string() }),
  saysError: true,
  errors: ['old_password_wrong', 'rate_limited', 'busy'],
})

export const requestReset = route({
  method: 'POST',
  path: '/password/reset/',
  summary: 'Mails a link for a new password. The answer is the same whether or not there is such an account.',
  access: 'public',
  body: z.object({ email: GivenEmail }),
  response: z.object({ message: z.string() }),
  saysError: true,
  errors: ['rate_limited'],
})

export const confirmReset = route({
  method: 'POST',
  path: '/password/reset/confirm/',
  summary: 'Sets a new password with the token of a reset mail, which works once; all sessions end.',
  access: 'public',
  body: z.object({ token: Token, new_password: NewPassword }),
  response: z.object({ message: z.string(), username: z.string() }),
  saysError: true,
  errors: ['link_invalid', 'busy'],
})

export const undoEmailChange = route({
  method: 'POST',
  path: '/auth/undo-email/',
  summary: 'Gives an account its old e-mail back with the token of the mail about the change; all sessions end.',
  access: 'public',
  body: z.object({ token: Token }),
  response: z.object({ detail: z.string(), username: z.string() }),
  errors: ['link_invalid'],
})

export const showConfirmation = route({
  method: 'GET',
  path: '/auth/confirm/',
  summary: 'How the signed-in person can show once more who they are.',
  access: 'bearer',
  isOpenBeforeTwoFactor: true,
  response: z.object({
    has_password: z.boolean(),
    /** A code is needed beside the password or the provider. */
    gfa_is_enabled: z.boolean(),
    providers: z.array(Provider).describe('Those the account is linked with.'),
  }),
  errors: [],
})

export const confirmIdentity = route({
  method: 'POST',
  path: '/auth/confirm/',
  summary:
    'Shows once more who the person of this session is, by password or provider, and with two-factor on by a code too. Sensitive changes are open for 15 minutes then, as they are after signing in.',
  access: 'bearer',
  isOfOwnAccount: true,
  isOpenBeforeTwoFactor: true,
  body: z
    .object({
      password: GivenPassword.optional(),
      otp: TypedCode.optional(),
      /** In place of the password: the one-time code of a provider’s answer, in the browser that got it. */
      provider_code: Token.optional(),
    })
    .refine(({ password, provider_code }) => password !== undefined || provider_code !== undefined, {
      error: say('field_required'),
      path: ['password'],
    }),
  response: z.object({ detail: z.string() }),
  errors: [...IDENTITY_ERRORS, 'provider_login_failed', 'rate_limited', 'busy'],
})

export const checkResetLink = route({
  method: 'POST',
  path: '/password/reset/check/',
  summary: 'Whether the link of a reset mail still works, before the form is filled in. It is not used up.',
  access: 'public',
  body: z.object({ token: Token }),
  status: 204,
  errors: ['link_invalid'],
})
