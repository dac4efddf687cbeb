import type { SettableFlag } from '@proofdesk/contract/directory'
import { defineEvents } from '../../events/event.ts'
import { securityMail } from '../users/work.ts'

export const directoryEvents = defineEvents({
  /** @param by Null: from the shell. `takesSecondStep`: from somebody who has not asked for it. */
  flag_set: (
    by: number | null,
    user: number,
    set: { flag: SettableFlag; value: boolean; takesSecondStep?: boolean },
  ) => ({
    audit: { actor: by, object: { kind: 'user', id: user }, details: { flag: set.flag, value: set.value } },
    work: set.takesSecondStep ? [securityMail({ user_id: user, event: 'two_factor_off' })] : [],
    tell: [{ topics: ['account'], user }],
  }),
  person_viewed: (by: number, user: number) => ({ audit: { actor: by, object: { kind: 'user', id: user } } }),
})
