import type { Viewer } from '@proofdesk/contract/permissions'
import type { ManagedUser } from '@proofdesk/contract/directory'
import { m } from '../../paraglide/messages.js'

/** What can be taken away whatever the state of the e-mail, the heaviest first. */
export const RIGHTS = ['is_active', 'is_superuser', 'is_admin', 'is_staff'] as const
export type Right = (typeof RIGHTS)[number]

/** What a right is called. */
export function nameRight(right: Right): string {
  switch (right) {
    case 'is_active':
      return m.users_column_active()
    case 'is_superuser':
      return m.dashboard_role_superuser()
    case 'is_admin':
      return m.users_column_admin()
    case 'is_staff':
      return m.users_column_staff()
  }
}

/** What taking it is called. */
export function nameTaking(right: Right): string {
  switch (right) {
    case 'is_active':
      return m.person_deactivate()
    case 'is_superuser':
      return m.person_take_superuser()
    case 'is_admin':
      return m.person_take_admin()
    case 'is_staff':
      return m.person_take_staff()
  }
}

/** The rights of an account that the viewer may take away. */
export function listTakeable(viewer: Viewer, user: ManagedUser): Right[] {
  return viewer.is_superuser ? RIGHTS.filter((right) => user[right] && user.may[right]) : []
}
