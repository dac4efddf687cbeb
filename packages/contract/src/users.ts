import { z } from 'zod'
import { Id, Time } from './fields.ts'

/** The signed-in person as `/user/info` shows it (specification section 3, server user info). */
export const UserInfo = z.object({
  id: Id,
  email: z.string(),
  username: z.string(),
  is_staff: z.boolean(),
  is_admin: z.boolean(),
  is_superuser: z.boolean(),
  is_active: z.boolean(),
  is_email_verified: z.boolean(),
  mail_refusal: z
    .object({
      at: Time,
      words: z
        .string()
        .nullable()
        .describe('What the mail server said, without addresses; null where it said nothing.'),
    })
    .nullable()
    .describe('That a mail to the present address was refused for good or came back; null where none did.'),
})
export type UserInfo = z.infer<typeof UserInfo>

/** Highest role of an account, for greetings and messages; the flags themselves are independent. */
export type Role = 'superuser' | 'admin' | 'staff' | 'user'

export function highestRole(user: Pick<UserInfo, 'is_staff' | 'is_admin' | 'is_superuser'>): Role {
  if (user.is_superuser) return 'superuser'
  if (user.is_admin) return 'admin'
  return user.is_staff ? 'staff' : 'user'
}
