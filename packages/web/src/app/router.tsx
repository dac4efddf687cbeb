import { createBrowserRouter, type RouteObject } from 'react-router'
import { LoadingArea } from '../ui/spinner.tsx'
import { GuestsOnly, SignedInOnly } from './guards.tsx'
import { Layout } from './layout.tsx'
import { RenderFailure } from './render-failure.tsx'

type Screen = () => Promise<{ Component: React.ComponentType }>

/** Every screen is a file of its own, loaded when it is opened. */
export const routes: RouteObject[] = [
  {
    Component: Layout,
    ErrorBoundary: RenderFailure,
    HydrateFallback: LoadingArea,
    children: [
      screen('/', () => import('./pages/landing-page.tsx')),
      screen('/verify-email/:token', () => import('./pages/verify-email-page.tsx')),
      screen('/setup/:token', () => import('./pages/setup-page.tsx')),
      {
        Component: GuestsOnly,
        children: [
          screen('/login', () => import('./pages/login-page.tsx')),
          screen('/register', () => import('./pages/register-page.tsx')),
        ],
      },
      {
        Component: SignedInOnly,
        children: [screen('/dashboard', () => import('./pages/dashboard-page.tsx'))],
      },
      screen('*', () => import('./pages/missing-page.tsx')),
    ],
  },
]

export function makeRouter() {
  return createBrowserRouter(routes)
}

/** A page module exports its screen as `Component`. A failing screen leaves the bars around it standing. */
function screen(path: string, load: Screen): RouteObject {
  return { path, lazy: load, ErrorBoundary: RenderFailure }
}
