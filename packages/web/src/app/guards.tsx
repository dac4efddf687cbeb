import { Navigate, Outlet, useLocation, type Location } from 'react-router'
import { PATHS } from '../lib/paths.ts'
import { useSession } from '../lib/session.ts'
import { LoadingArea } from '../ui/spinner.tsx'
import { ServerSilent } from './server-silent.tsx'

/** Lets signed-in people through once the session check has ended; others sign in first and come back. */
export function SignedInOnly() {
  const session = useSession()
  const location = useLocation()
  switch (session.phase) {
    case 'checking':
      return <LoadingArea />
    case 'unreachable':
      return <ServerSilent />
    case 'signed-out':
      return <Navigate to={PATHS.login} replace state={{ from: addressOf(location) }} />
    case 'signed-in':
      return <Outlet />
  }
}

/** The sign-in: whoever is signed in goes on to where they were headed, else to the dashboard. */
export function GuestsOnly() {
  const session = useSession()
  const { state } = useLocation()
  switch (session.phase) {
    case 'checking':
      return <LoadingArea />
    case 'unreachable':
      return <ServerSilent />
    case 'signed-in':
      return <Navigate to={readFrom(state) ?? PATHS.dashboard} replace />
    case 'signed-out':
      return <Outlet />
  }
}

function addressOf({ pathname, search, hash }: Location): string {
  return pathname + search + hash
}

/** Where one was headed. History state outlives reloads and deployments, so its shape is checked. */
export function readFrom(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('from' in state)) return undefined
  return typeof state.from === 'string' && /^\/(?!\/)/.test(state.from) ? state.from : undefined
}
