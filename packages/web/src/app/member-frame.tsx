import { canOpenNotifications } from '@proofdesk/contract/permissions'
import type { UserInfo } from '@proofdesk/contract/users'
import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense, useState, type ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { VerifyBanner } from '../features/account/verify-banner.tsx'
import { NotificationBell } from '../features/notifications/notification-bell.tsx'
import { PATHS } from '../lib/paths.ts'
import { queryClient } from '../lib/query-client.ts'
import { m } from '../paraglide/messages.js'
import { loadLazily } from '../ui/lazy-code.tsx'
import { Toasts } from '../ui/toasts.tsx'
import { Brand } from './brand.tsx'
import { DrawerMenu } from './drawer-menu.tsx'
import { BAR_LINK, Frame } from './frame.tsx'
import { LogoutButton } from './logout-button.tsx'
import { PaletteButton, PaletteGate } from './palette-gate.tsx'
import { Sidebar } from './sidebar.tsx'
import { SignedInPerson } from './signed-in-person.tsx'
import { ThemeSwitch } from './theme-switch.tsx'
import { useLiveEvents } from './use-live-events.ts'

const RefusalBanner = loadLazily(() => import('../features/account/refusal-banner.tsx'))

/** Around every screen of a signed-in person. The sidebar stands everywhere but on the landing page. */
export default function MemberFrame({ user, children }: { user: UserInfo; children: ReactNode }) {
  useLiveEvents()
  const [hasPalette, setHasPalette] = useState(false)
  const { pathname } = useLocation()
  const hasSidebar = pathname !== PATHS.home
  return (
    <QueryClientProvider client={queryClient}>
      <Frame
        sidebar={hasSidebar && <Sidebar user={user} />}
        bar={<MemberBar user={user} hasSidebar={hasSidebar} onPalette={() => setHasPalette(true)} />}
        notice={
          <>
            {!user.is_email_verified && <VerifyBanner isAtLink={pathname.startsWith('/verify-email/')} />}
            {user.mail_refusal && (
              <Suspense>
                <RefusalBanner user={user} />
              </Suspense>
            )}
          </>
        }
      >
        {children}
      </Frame>
      <PaletteGate user={user} isOpen={hasPalette} onOpenChange={setHasPalette} />
      <Toasts />
    </QueryClientProvider>
  )
}

interface MemberBarProps {
  user: UserInfo
  hasSidebar: boolean
  onPalette: () => void
}

function MemberBar({ user, hasSidebar, onPalette }: MemberBarProps) {
  return (
    <>
      {hasSidebar && <DrawerMenu user={user} onPalette={onPalette} />}
      <div className={hasSidebar ? 'lg:hidden' : ''}>
        <Brand wordHidden={!hasSidebar} />
      </div>
      {!hasSidebar && (
        <nav aria-label={m.nav_main()} className="sm:ms-2">
          <Link to={PATHS.dashboard} className={BAR_LINK}>
            {m.nav_dashboard()}
          </Link>
        </nav>
      )}
      <div className="ms-auto flex items-center gap-2 max-[24rem]:gap-1">
        <SignedInPerson user={user} />
        <PaletteButton onOpen={onPalette} />
        <ThemeSwitch />
        {canOpenNotifications(user) && <NotificationBell />}
        <LogoutButton />
      </div>
    </>
  )
}
