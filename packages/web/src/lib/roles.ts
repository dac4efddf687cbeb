import { highestRole, type UserInfo } from '@proofdesk/contract/users'

/** An admin looks after accounts: no Server Content entry, no notification bar (specification sections 2 and 6). */
export function isAdminDesk(user: UserInfo): boolean {
  return highestRole(user) === 'admin'
}
