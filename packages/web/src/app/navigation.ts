import { canManageUsers, canSeeHealth, canSeeMail, whyNotSeeAudit } from '@proofdesk/contract/permissions'
import { isAdminDesk, isStaffDesk } from '@proofdesk/contract/role-views'
import type { UserInfo } from '@proofdesk/contract/users'
import {
  FolderOpen,
  HeartPulse,
  House,
  LayoutDashboard,
  Mail,
  MessagesSquare,
  Server,
  UserRound,
  ScrollText,
  UsersRound,
  type LucideIcon,
} from 'lucide-react'
import { contentPath, PATHS } from '../lib/paths.ts'
import { m } from '../paraglide/messages.js'

export interface Destination {
  to: string
  word: string
  icon: LucideIcon
  /** Beginning of the addresses that lie below it without showing so. */
  above?: string
}

/** The sidebar's entries by role (specification section 2). */
export function destinationsFor(user: UserInfo): Destination[] {
  const all: (Destination & { isHidden?: boolean })[] = [
    { to: PATHS.home, word: m.nav_home(), icon: House },
    { to: PATHS.dashboard, word: m.nav_dashboard(), icon: LayoutDashboard },
    { to: PATHS.profile, word: m.nav_profile(), icon: UserRound },
    { to: PATHS.collection, word: m.nav_collection(), icon: FolderOpen, above: contentPath('') },
    { to: PATHS.serverContent, word: m.nav_server_content(), icon: Server, isHidden: isAdminDesk(user) },
    { to: PATHS.tickets, word: m.nav_tickets(), icon: MessagesSquare, isHidden: isStaffDesk(user) },
    { to: PATHS.users, word: m.nav_users(), icon: UsersRound, isHidden: !canManageUsers(user) },
    { to: PATHS.mail, word: m.nav_mail(), icon: Mail, isHidden: !canSeeMail(user) },
    { to: PATHS.health, word: m.nav_health(), icon: HeartPulse, isHidden: !canSeeHealth(user) },
    { to: PATHS.audit, word: m.nav_audit(), icon: ScrollText, isHidden: whyNotSeeAudit(user) !== undefined },
  ]
  return all.filter(({ isHidden }) => !isHidden)
}
