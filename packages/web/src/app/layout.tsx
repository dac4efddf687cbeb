import { Suspense } from 'react'
import { Outlet, useLocation } from 'react-router'
import { ScreenStateKeeper } from '../lib/screen-state.tsx'
import { useSession } from '../lib/session.ts'
import { LoadingArea } from '../ui/spinner.tsx'
import { GuestFrame } from './guest-frame.tsx'
import { loadLazily } from '../ui/lazy-code.tsx'
import { RenderBoundary } from './render-boundary.tsx'

const MemberFrame = loadLazily(() => import('./member-frame.tsx'))
const SignInAgain = loadLazily(() => import('../features/auth/sign-in-again.tsx'))

/** Bars around every screen. */
export function Layout() {
  return (
    <ScreenStateKeeper>
      <FramedScreen />
    </ScreenStateKeeper>
  )
}

/** What only signed-in people need is loaded for them alone. */
function FramedScreen() {
  const session = useSession()
  if (session.phase !== 'signed-in') return <GuestFrame>{<Screen />}</GuestFrame>
  return (
    <Suspense fallback={<LoadingArea />}>
      {/* Nothing one person typed stays on screen for another who signs in over it. */}
      <RenderBoundary key={session.user.id}>
        <MemberFrame user={session.user}>
          <Screen />
        </MemberFrame>
      </RenderBoundary>
      <RenderBoundary>
        <Suspense>{session.hasEnded && <SignInAgain username={session.user.username} />}</Suspense>
      </RenderBoundary>
    </Suspense>
  )
}

function Screen() {
  const { pathname } = useLocation()
  return (
    <RenderBoundary key={pathname}>
      <Suspense fallback={<LoadingArea />}>
        <Outlet />
      </Suspense>
    </RenderBoundary>
  )
}
