import { lazy, Suspense } from 'react'
import { Outlet, ScrollRestoration, useLocation } from 'react-router'
import { PATHS } from '../lib/paths.ts'
import { useSession } from '../lib/session.ts'
import { m } from '../paraglide/messages.js'
import { ServerSilentStrip } from './server-silent.tsx'
import { Sidebar } from './sidebar.tsx'
import { TopBar } from './top-bar.tsx'
import { VerifyBanner } from './verify-banner.tsx'

const ToastHost = lazy(() => import('../ui/toast-host.tsx').then((file) => ({ default: file.ToastHost })))

/** Bars around every screen. The sidebar stands for signed-in people everywhere but on the landing page. */
export function Layout() {
  const session = useSession()
  const { pathname } = useLocation()
  const user = session.phase === 'signed-in' ? session.user : undefined
  const hasSidebar = user !== undefined && pathname !== PATHS.home
  return (
    <div className="flex min-h-dvh">
      <a
        href="#main"
        className="fixed start-3 top-3 z-90 -translate-y-20 rounded-control bg-brand px-4 py-2 text-on-brand focus:translate-y-0"
      >
        {m.skip_to_content()}
      </a>
      {hasSidebar && <Sidebar />}
      <div className="flex min-w-0 grow flex-col">
        <TopBar hasSidebar={hasSidebar} />
        <main id="main" tabIndex={-1} className="mx-auto w-full max-w-360 grow px-4 pt-6 pb-16 sm:px-6 lg:px-8">
          {user && !user.is_email_verified && <Notice>{<VerifyBanner />}</Notice>}
          {session.phase === 'unreachable' && pathname === PATHS.home && <Notice>{<ServerSilentStrip />}</Notice>}
          <Outlet />
        </main>
        <footer className="border-t border-line px-4 py-5 text-sm text-ink-2 sm:px-6 lg:px-8">{m.footer_line()}</footer>
      </div>
      {user && (
        <Suspense>
          <ToastHost />
        </Suspense>
      )}
      <ScrollRestoration />
    </div>
  )
}

function Notice({ children }: { children: React.ReactNode }) {
  return <div className="mb-6">{children}</div>
}
