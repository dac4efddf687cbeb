import type { UserFlag } from '@proofdesk/contract/directory'
import { m } from '../../paraglide/messages.js'

/** The head of a flag's column. */
export function wordOf(flag: UserFlag): string {
  switch (flag) {
    case 'is_active':
      return m.users_column_active()
    case 'is_email_verified':
      return m.users_column_verified()
    case 'gfa_is_enabled':
      return m.users_column_two_factor()
    case 'is_admin':
      return m.users_column_admin()
    case 'is_staff':
      return m.users_column_staff()
  }
}

/** That a flag was turned. @param name What the flag is called. */
export function sayTurned(name: string, value: boolean, username: string): string {
  return value ? m.users_flag_on({ flag: name, username }) : m.users_flag_off({ flag: name, username })
}
