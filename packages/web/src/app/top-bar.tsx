import { canOpenNotifications } from '@proofdesk/contract/permissions'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import { PATHS } from '../lib/paths.ts'
import { useSession } from '../lib/session.ts'
import { m } from '../paraglide/messages.js'
import { ButtonLink } from '../ui/button.tsx'
import { Brand } from './brand.tsx'
import { LogoutButton } from './logout-button.tsx'
import { ThemeSwitch } from './theme-switch.tsx'

const DrawerMenu = lazy(() => import('./drawer-menu.tsx').then((file) => ({ default: file.DrawerMenu })))
const NotificationBell = lazy(() =>
  import('../features/notifications/notification-bell.tsx').then((file) => ({ default: file.NotificationBell })),
)

const BAR = 'sticky top-0 z-20 border-b border-line bg-paper'
const LINK = 'rounded-md px-1.5 py-1 font-[560] text-ink no-underline hover:text-brand'

/** @param hasSidebar The sidebar stands beside it and carries brand and links. */
export function TopBar({ hasSidebar }: { hasSidebar: boolean }) {
  const session = useSession()
  const user = session.phase === 'signed-in' ? session.user : undefined
  return (
    <header className={BAR}>
      <div className="flex min-h-14 items-center gap-2 px-4 sm:px-6 lg:px-8">
        {user && hasSidebar && <Suspense fallback={<span className="size-9.5 lg:hidden" />}>{<DrawerMenu />}</Suspense>}
        <div className={hasSidebar ? 'lg:hidden' : ''}>
          <Brand />
        </div>
        {!hasSidebar && (
          <nav aria-label={m.nav_main()} className="ms-2 flex items-center gap-2 max-[25rem]:ms-0">
            <Link to={user ? PATHS.dashboard : PATHS.home} className={user ? LINK : `${LINK} max-sm:sr-only`}>
              {user ? m.nav_dashboard() : m.nav_home()}
            </Link>
          </nav>
        )}
        <div className="ms-auto flex items-center gap-2">
          <ThemeSwitch />
          {user && canOpenNotifications(user) && (
            <Suspense fallback={<span className="size-9.5" />}>
              <NotificationBell />
            </Suspense>
          )}
          {user && <LogoutButton />}
          {session.phase === 'signed-out' && <GuestLinks />}
        </div>
      </div>
    </header>
  )
}

function GuestLinks() {
  return (
    <>
      <Link to={PATHS.login} className={LINK}>
        {m.nav_login()}
      </Link>
      <ButtonLink to={PATHS.register} kind="brand">
        {m.nav_register()}
      </ButtonLink>
    </>
  )
}
