import type { ReactNode } from 'react'
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
      <Brand wordHidden />
      <nav aria-label={m.nav_main()} className="flex grow items-center gap-3">
        <Link to={PATHS.home} className={`${BAR_LINK} ms-2 max-sm:sr-only`}>
          {m.nav_home()}
        </Link>
        {phase === 'signed-out' && (
          <span className="ms-auto flex items-center gap-2">
            <Link to={PATHS.tickets} className={BAR_LINK}>
              {m.nav_ticket()}
            </Link>
            <Link to={PATHS.login} className={BAR_LINK}>
              {m.nav_login()}
            </Link>
            <ButtonLink to={PATHS.register} kind="brand">
              {m.nav_register()}
            </ButtonLink>
          </span>
        )}
      </nav>
      <ThemeSwitch />
    </>
  )
}
