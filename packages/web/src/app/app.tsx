import { Suspense, useEffect, useState, type ComponentType } from 'react'
import { Route, Routes } from 'react-router'
import { useIdentityAsked } from '../lib/confirm-identity.ts'
import { useAsked } from '../ui/ask.ts'
import { GuestsOnly, SignedInOnly } from './guards.tsx'
import { Layout } from './layout.tsx'
import { loadLazily } from '../ui/lazy-code.tsx'
import { PAGES, type Audience, type PageName } from './page-list.ts'
import { RenderBoundary } from './render-boundary.tsx'
import { SecondFactorFirst } from './second-factor-first.tsx'

/** What signing in needs runs in a task of its own: with the screen in one, a slow phone would not answer for that long. */
async function runInTurns<T>(load: () => Promise<T>): Promise<T> {
  await import('../lib/session-calls.ts')
  await new Promise((resolve) => setTimeout(resolve))
  return load()
}

/** Every screen is a file of its own, loaded when it is opened. */
const SCREENS: Record<PageName, ComponentType> = {
  landing: loadLazily(() => import('./pages/landing-page.tsx')),
  login: loadLazily(() => runInTurns(() => import('./pages/login-page.tsx'))),
  register: loadLazily(() => runInTurns(() => import('./pages/register-page.tsx'))),
  'verify-email': loadLazily(() => import('./pages/verify-email-page.tsx')),
  setup: loadLazily(() => import('./pages/setup-page.tsx')),
  'reset-password': loadLazily(() => import('./pages/reset-password-page.tsx')),
  profile: loadLazily(() => import('./pages/profile-page.tsx')),
  'two-factor-setup': loadLazily(() => import('./pages/two-factor-setup-page.tsx')),
  dashboard: loadLazily(() => import('./pages/dashboard-page.tsx')),
  collections: loadLazily(() => import('./pages/collections-page.tsx')),
  'collection-detail': loadLazily(() => import('./pages/collection-detail-page.tsx')),
  'server-content': loadLazily(() => import('./pages/server-content-page.tsx')),
  'service-content': loadLazily(() => import('./pages/service-content-page.tsx')),
  users: loadLazily(() => import('./pages/users-page.tsx')),
  person: loadLazily(() => import('./pages/person-page.tsx')),
  mail: loadLazily(() => import('./pages/mail-page.tsx')),
  health: loadLazily(() => import('./pages/health-page.tsx')),
  audit: loadLazily(() => import('./pages/audit-page.tsx')),
  transparency: loadLazily(() => import('./pages/transparency-page.tsx')),
  about: loadLazily(() => import('./pages/about-page.tsx')),
  contact: loadLazily(() => import('./pages/contact-page.tsx')),
  privacy: loadLazily(() => import('./pages/privacy-page.tsx')),
  terms: loadLazily(() => import('./pages/terms-page.tsx')),
  tickets: loadLazily(() => import('./pages/tickets-page.tsx')),
  'ticket-link': loadLazily(() => import('./pages/ticket-link-page.tsx')),
  api: loadLazily(() => import('./pages/api-page.tsx')),
  missing: loadLazily(() => import('./pages/missing-page.tsx')),
  'undo-email': loadLazily(() => import('./pages/undo-email-page.tsx')),
  'join-provider': loadLazily(() => import('./pages/join-provider-page.tsx')),
  'provider-return': loadLazily(() => import('./pages/provider-return-page.tsx')),
}

const ConfirmIdentity = loadLazily(() => import('../features/auth/confirm-identity.tsx'))
const loadDialogHost = () => import('../ui/dialog-host.tsx')
const DialogHost = loadLazily(loadDialogHost)

const PAGE_NAMES = Object.keys(PAGES) as PageName[]

const FIRST_ACTS = ['pointerdown', 'keydown', 'input']

/** All screens, and the dialogs above them. */
export function App() {
  return (
    <>
      <Routes>
        <Route element={<Layout />}>
          {listPages('everyone')}
          <Route element={<SecondFactorFirst />}>{listPages('set-up')}</Route>
          <Route element={<GuestsOnly />}>{listPages('guests')}</Route>
          <Route element={<SignedInOnly />}>
            {listPages('newcomers')}
            <Route element={<SecondFactorFirst />}>{listPages('members')}</Route>
          </Route>
        </Route>
      </Routes>
      <IdentityGate />
      <DialogGate />
    </>
  )
}

function listPages(audience: Audience) {
  return PAGE_NAMES.filter((name) => PAGES[name].audience === audience).map((name) => {
    const Screen = SCREENS[name]
    return <Route key={name} path={PAGES[name].path} element={<Screen />} />
  })
}

/** Shows the question who the person is, once a call needs to know. */
function IdentityGate() {
  const isAsked = useIdentityAsked()
  const [wasAsked, setWasAsked] = useState(false)
  // It stays from then on, so that it can fade away.
  if (isAsked && !wasAsked) setWasAsked(true)
  return (
    <RenderBoundary>
      <Suspense>{wasAsked && <ConfirmIdentity />}</Suspense>
    </RenderBoundary>
  )
}

/**
 * Shows questions and notices. Their code is loaded as soon as the person does anything on the page: what they tell of
 * most is a network that is away, and then it could not be; and whoever only reads needs none.
 */
function DialogGate() {
  const asked = useAsked()
  useEffect(() => {
    const stop = new AbortController()
    const load = () => {
      stop.abort()
      loadDialogHost().catch(() => {})
    }
    for (const act of FIRST_ACTS) addEventListener(act, load, { signal: stop.signal, passive: true })
    return () => stop.abort()
  }, [])
  return (
    <RenderBoundary>
      <Suspense>{asked && <DialogHost />}</Suspense>
    </RenderBoundary>
  )
}
