import { defineEvents } from '../../events/event.ts'
import { securityMail, verificationMail, type TakenBack } from '../users/work.ts'
import { emailChangedMail, resetMail } from './work.ts'

const own = (user: number) => ({ actor: user, object: { kind: 'user', id: user } }) as const

const passwordMail = (user: number) => [securityMail({ user_id: user, event: 'password_changed' })] as const

export const accountEvents = defineEvents({
  identity_confirmed: (user: number) => ({ audit: own(user) }),
  profile_changed: (user: number) => ({ audit: own(user) }),
  /** @param change Of which the old address is told; null where that is the new one. */
  email_changed: (user: number, change: number | null) => ({
    audit: own(user),
    work: [
      verificationMail({ user_id: user }),
      ...(change === null ? [] : [emailChangedMail({ email_change_id: change })]),
    ],
    tell: [{ topics: ['account'], user }],
  }),
  email_change_undone: (user: number, taken_back: readonly TakenBack[]) => ({
    audit: own(user),
    work: [securityMail({ user_id: user, event: 'email_change_undone', taken_back })],
  }),
  password_changed: (user: number) => ({ audit: own(user), work: passwordMail(user) }),
  password_reset: (user: number) => ({ audit: own(user), work: passwordMail(user) }),
  verification_mail_asked: (user: number) => ({
    work: [verificationMail({ user_id: user })],
  }),
  reset_mail_asked: (users: readonly number[]) => ({
    work: users.map((user) => resetMail({ user_id: user })),
  }),
})
