import type { UserInfo } from '@proofdesk/contract/users'
import { CircleUserRound } from 'lucide-react'
import { Link } from 'react-router'
import { PATHS } from '../lib/paths.ts'
import { m } from '../paraglide/messages.js'
import { Sentence } from '../ui/sentence.tsx'
import { UserText } from '../ui/user-text.tsx'
import { BAR_LINK } from './frame.tsx'

/** Who is signed in, in the top bar, where there is room for it; leads to the profile. */
export function SignedInPerson({ user }: { user: UserInfo }) {
  const label = m.nav_signed_in_as({ username: user.username })
  return (
    <Link
      to={PATHS.profile}
      aria-label={label}
      title={label}
      className={`${BAR_LINK} inline-flex min-w-0 items-center gap-2 max-sm:hidden`}
    >
      <CircleUserRound aria-hidden size={18} strokeWidth={1.8} className="shrink-0 text-ink-2" />
      <UserText className="max-w-40 truncate">{user.username}</UserText>
    </Link>
  )
}

/** The same in the drawer of a phone, where the bar has no room. */
export function SignedInLine({ user }: { user: UserInfo }) {
  return (
    <p className="px-2.5 text-sm wrap-anywhere text-ink-2">
      <Sentence say={(username) => m.nav_signed_in_as({ username })} text={user.username} />
    </p>
  )
}
