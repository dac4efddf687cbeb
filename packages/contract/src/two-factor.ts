import { z } from 'zod'
import { DEMANDED, Id, say, Token, typedText } from './fields.ts'
import { OTP_LENGTH, RECOVERY_CODE_COUNT } from './limits.ts'
import { route } from './route.ts'
import { Tokens } from './sessions.ts'
import { UserInfo } from './users.ts'

/** The code an authenticator app shows; people type blanks between its halves, and the digits of their own script. */
export const Otp = typedText
  // Before it is changed: of what is typed, not of what it becomes.
  .meta({ minLength: OTP_LENGTH, examples: ['123456'] })
  .transform((text) => text.replace(/\s/g, ''))
  .refine((text) => new RegExp(`^\\p{Nd}{${OTP_LENGTH}}$`, 'u').test(text), say('otp_malformed'))

/** Longer than any way of writing a code or a recovery code. */
const TYPED_CODE_MAX_LENGTH = 64

/** A code of the app or a recovery code, as typed. */
export const TypedCode = typedText
  .refine((text) => text.length > 0, say('field_required'))
  .refine((text) => text.length <= TYPED_CODE_MAX_LENGTH, say('two_factor_code_wrong'))
  .meta({ minLength: 1, maxLength: TYPED_CODE_MAX_LENGTH, examples: ['123456'] })

/** What who shows by password, and with two-factor on by a code, who they are may be refused for. */
export const IDENTITY_ERRORS = ['password_wrong', 'two_factor_code_missing', 'two_factor_code_wrong'] as const

export const beginSetup = route({
  method: 'GET', // fixed by the specification, although it may make a secret
  path: '/g2fa/gfa_qrcode/',
  summary: 'A secret for an authenticator app, pending until a code of it is confirmed. Never shows one in force.',
  access: 'bearer',
  isOpenBeforeTwoFactor: true,
  response: z.object({
    qr_code: z.string().describe('An image as a `data:` URL.'),
    otpauth_url: z.string().describe('What the image says, for apps on the same device.'),
    secret: z.string().describe('Base32, for typing in.'),
  }),
  errors: [],
})

export const setTwoFactor = route({
  method: 'PATCH',
  path: '/g2fa/gfa_status/',
  summary: 'Switches two-factor sign-in on, with a code of the pending secret, or off.',
  access: 'bearer',
  isOfOwnAccount: true,
  isOpenBeforeTwoFactor: true,
  body: z.object({
    gfa_is_enabled: z
      .boolean({ error: say('flag_invalid') })
      .default(true)
      .meta(DEMANDED),
    // Forms send it empty, and switching off asks for none.
    otp: z.preprocess((value) => (value === '' || value === null ? undefined : value), Otp.optional()).meta(DEMANDED),
  }),
  response: z.object({
    detail: z.string(),
    gfa_is_enabled: z.boolean(),
    /** Only on enabling, and never again: each is good once, wherever a code is. */
    recovery_codes: z.array(z.string()).max(RECOVERY_CODE_COUNT).optional(),
  }),
  errors: ['two_factor_not_begun', 'otp_wrong', 'confirm_identity', 'rate_limited'],
})

export const renewRecoveryCodes = route({
  method: 'POST',
  path: '/g2fa/recovery_codes/',
  summary: 'Makes new recovery codes; the old ones stop working.',
  access: 'bearer',
  isOfOwnAccount: true,
  body: z.object({}).optional(),
  response: z.object({
    detail: z.string(),
    /** Never shown again. */
    recovery_codes: z.array(z.string()).max(RECOVERY_CODE_COUNT),
  }),
  errors: ['two_factor_not_on', 'confirm_identity'],
})

export const verifyCode = route({
  method: 'POST',
  path: '/g2fa/gfa_verify/',
  summary: 'The second step of signing in. Bound to the password step by its challenge, or by the client address.',
  access: 'public',
  body: z.object({
    user_id: Id,
    otp: TypedCode,
    /** That of the password step; the cookie set there does as well. */
    challenge: Token.nullish(),
  }),
  response: UserInfo.extend(Tokens.shape),
  errors: ['two_factor_code_wrong', 'two_factor_challenge_ended', 'rate_limited'],
})
