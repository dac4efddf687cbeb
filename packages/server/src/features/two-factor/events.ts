import { defineEvents } from '../../events/event.ts'
import type { WayIn } from '../sessions/events.ts'
import { securityMail, type SecurityEvent } from '../users/work.ts'

/** A change of one's own second step, which its owner is told by mail in case it was not them. */
const changeOwn = (user: number, event: SecurityEvent, told = { isNews: true }) => ({
  audit: { actor: user, object: { kind: 'user', id: user } } as const,
  work: told.isNews ? [securityMail({ user_id: user, event })] : [],
})

export const twoFactorEvents = defineEvents({
  two_factor_on: (user: number) => changeOwn(user, 'two_factor_on'),
  two_factor_replaced: (user: number) => changeOwn(user, 'two_factor_replaced'),
  /** @param told Not where another mail says it with what else has gone. */
  two_factor_off: (user: number, told = { isNews: true }) => changeOwn(user, 'two_factor_off', told),
  recovery_codes_renewed: (user: number) => changeOwn(user, 'recovery_codes_renewed'),
  /** Nobody is signed in yet: whoever knows the password and goes no further is to be seen all the same. */
  first_step_passed: (user: number, way: Extract<WayIn, 'password' | 'provider'>) => ({
    audit: { actor: null, object: { kind: 'user', id: user }, details: { way } },
  }),
  code_failed: (user: number) => ({ audit: { actor: null, object: { kind: 'user', id: user } } }),
})
