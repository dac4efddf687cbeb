import { Link, useLocation } from 'react-router'
import type { UserInfo } from '@proofdesk/contract/users'
import { m } from '../paraglide/messages.js'
import { Brand } from './brand.tsx'
import { destinationsFor, type Destination } from './navigation.ts'

export function Sidebar({ user }: { user: UserInfo }) {
  return (
    <div className="sticky top-0 hidden h-dvh w-50 shrink-0 flex-col overflow-y-auto border-e border-line bg-sunk px-2.5 py-4 lg:flex print:hidden">
      <nav aria-label={m.nav_main()} className="grid gap-5">
        <div className="px-2">
          <Brand />
        </div>
        <DestinationList user={user} />
      </nav>
    </div>
  )
}

export function DestinationList({ user, onChosen }: { user: UserInfo; onChosen?: () => void }) {
  const { pathname } = useLocation()
  return (
    <ul className="grid gap-0.5">
      {destinationsFor(user).map(({ to, word, icon: Icon, above }) => (
        <li key={to}>
          <Link
            to={to}
            aria-current={readPlace(pathname, to, above)}
            {...(onChosen && { onClick: onChosen })}
            className="flex min-h-9.5 items-center gap-3 rounded-control border border-transparent px-2.5 text-ink-2 no-underline hover:text-ink aria-[current]:border-line aria-[current]:bg-sheet aria-[current]:font-[560] aria-[current]:text-ink"
          >
            <Icon aria-hidden size={17} strokeWidth={1.8} />
            {word}
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** `true` stands for a screen below the entry's. */
function readPlace(pathname: string, to: string, above: Destination['above']): 'page' | 'true' | undefined {
  if (pathname === to) return 'page'
  const isBelow = (to !== '/' && pathname.startsWith(`${to}/`)) || (above !== undefined && pathname.startsWith(above))
  return isBelow ? 'true' : undefined
}
