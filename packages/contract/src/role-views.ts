import { seesAllTickets, type Viewer } from './permissions.ts'
import { highestRole } from './users.ts'

/*
 * How screens are arranged for a role (specification sections 2 and 6). What somebody may do follows from each of their flags
 * (permissions.ts); who has several sees the screens of the highest, by which the greeting names them too.
 */

type Flags = Pick<Viewer, 'is_staff' | 'is_admin' | 'is_superuser'>

/** An admin looks after accounts: no Server Content entry, no notification bar. */
export function isAdminDesk(viewer: Flags): boolean {
  return highestRole(viewer) === 'admin'
}

/** Staff come for what waits: no Tickets entry, and lists begin with what is in progress. */
export function isStaffDesk(viewer: Flags): boolean {
  return highestRole(viewer) === 'staff'
}

/** Tiles by which collections are filtered, for those who are neither admin nor staff; the others have a select. */
export function hasStatusTiles(viewer: Flags): boolean {
  return !isAdminDesk(viewer) && !isStaffDesk(viewer)
}

/** Who approved a certified PDF, for those who are not staff themselves. */
export function seesProofStaff(viewer: Flags): boolean {
  return !isStaffDesk(viewer)
}

/** Who has taken a ticket, in the lists of admins and superusers. */
export function seesTicketAdmin(viewer: Viewer): boolean {
  return seesAllTickets(viewer) && ['admin', 'superuser'].includes(highestRole(viewer))
}
