import type { ReactNode } from 'react'
import { ScanSearch } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import { PATHS } from '../lib/paths.ts'
import { useSession } from '../lib/session.ts'
import { m } from '../paraglide/messages.js'
import { ButtonLink } from '../ui/button.tsx'
import { Brand } from './brand.tsx'
import { BAR_LINK, Frame } from './frame.tsx'
import { ServerSilentStrip } from './server-silent.tsx'
import { ThemeSwitch } from './theme-switch.tsx'

/** Around every screen while nobody is signed in, or it is not known yet. */
export function GuestFrame({ children }: { children: ReactNode }) {
  const { phase } = useSession()
  const { pathname } = useLocation()
  const isOpenScreen = pathname === PATHS.home || pathname === PATHS.serviceContent
  return (
    <Frame bar={<GuestBar />} notice={phase === 'unreachable' && isOpenScreen && <ServerSilentStrip />}>
      {children}
    </Frame>
  )
}

function GuestBar() {
  const { phase } = useSession()
  return (
    <>
      {/* A phone has no room for both, and Home says where it leads. */}
      <div className="max-sm:hidden">
        <Brand wordHidden />
      </div>
      <nav
        aria-label={m.nav_main()}
        className="flex grow items-center gap-3 max-[22.5rem]:flex-wrap max-[22.5rem]:py-2 max-sm:gap-1"
      >
        <Link to={PATHS.home} className={`${BAR_LINK} max-sm:-ms-1.5 sm:ms-2`}>
          {m.nav_home()}
        </Link>
        <Link to={PATHS.serviceContent} className={`${BAR_LINK} inline-flex items-center gap-1.5`}>
          <ScanSearch aria-hidden size={17} className="max-[26rem]:hidden" />
          {m.nav_verify()}
        </Link>
        {phase === 'signed-out' && (
          <span className="ms-auto flex items-center gap-2 max-sm:gap-1">
            <Link to={PATHS.tickets} className={BAR_LINK}>
              {m.nav_ticket()}
            </Link>
            <Link to={PATHS.login} className={BAR_LINK}>
              {m.nav_login()}
            </Link>
            <ButtonLink to={PATHS.register} kind="brand" className="max-sm:px-2.5">
              {m.nav_register()}
            </ButtonLink>
          </span>
        )}
      </nav>
      <ThemeSwitch />
    </>
  )
}
