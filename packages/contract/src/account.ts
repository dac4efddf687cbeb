import { z } from 'zod'
import { route } from './route.ts'
import { UserInfo } from './users.ts'

export const showUser = route({
  method: 'GET',
  path: '/user/info',
  summary: 'The signed-in person and their roles.',
  access: 'bearer',
  response: UserInfo,
  errors: [],
})

export const resendVerification = route({
  method: 'POST',
  path: '/profile/resend_verification_email/',
  summary: 'Mails a new verification link; earlier ones stop working.',
  access: 'bearer',
  body: z.object({}).optional(),
  response: z.object({ detail: z.string() }),
  errors: ['email_already_verified', 'rate_limited'],
})
