import { PROVIDER_RETURN_PATH } from '@proofdesk/contract/provider-return'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Route, Routes } from 'react-router'
import { PATHS } from '../lib/paths.ts'
import { useIdentityAsked } from '../lib/confirm-identity.ts'
import { useAsked } from '../ui/ask.ts'
import { GuestsOnly, SignedInOnly } from './guards.tsx'
import { Layout } from './layout.tsx'
import { RenderBoundary } from './render-boundary.tsx'
import { SecondFactorFirst } from './second-factor-first.tsx'

// Every screen is a file of its own, loaded when it is opened.
const LandingPage = lazy(() => import('./pages/landing-page.tsx'))
const LoginPage = lazy(() => import('./pages/login-page.tsx'))
const RegisterPage = lazy(() => import('./pages/register-page.tsx'))
const VerifyEmailPage = lazy(() => import('./pages/verify-email-page.tsx'))
const SetupPage = lazy(() => import('./pages/setup-page.tsx'))
const ResetPasswordPage = lazy(() => import('./pages/reset-password-page.tsx'))
const ProfilePage = lazy(() => import('./pages/profile-page.tsx'))
const TwoFactorSetupPage = lazy(() => import('./pages/two-factor-setup-page.tsx'))
const DashboardPage = lazy(() => import('./pages/dashboard-page.tsx'))
const CollectionsPage = lazy(() => import('./pages/collections-page.tsx'))
const CollectionDetailPage = lazy(() => import('./pages/collection-detail-page.tsx'))
const ServerContentPage = lazy(() => import('./pages/server-content-page.tsx'))
const ServiceContentPage = lazy(() => import('./pages/service-content-page.tsx'))
const UsersPage = lazy(() => import('./pages/users-page.tsx'))
const PersonPage = lazy(() => import('./pages/person-page.tsx'))
const MailPage = lazy(() => import('./pages/mail-page.tsx'))
const AboutPage = lazy(() => import('./pages/about-page.tsx'))
const ContactPage = lazy(() => import('./pages/contact-page.tsx'))
const PrivacyPage = lazy(() => import('./pages/privacy-page.tsx'))
const TermsPage = lazy(() => import('./pages/terms-page.tsx'))
const TicketsPage = lazy(() => import('./pages/tickets-page.tsx'))
const TicketLinkPage = lazy(() => import('./pages/ticket-link-page.tsx'))
const ApiPage = lazy(() => import('./pages/api-page.tsx'))
const MissingPage = lazy(() => import('./pages/missing-page.tsx'))
const UndoEmailPage = lazy(() => import('./pages/undo-email-page.tsx'))
const JoinProviderPage = lazy(() => import('./pages/join-provider-page.tsx'))
const ProviderReturnPage = lazy(() => import('./pages/provider-return-page.tsx'))
const ConfirmIdentity = lazy(() => import('../features/auth/confirm-identity.tsx'))
const loadDialogHost = () => import('../ui/dialog-host.tsx')
const DialogHost = lazy(loadDialogHost)

const FIRST_ACTS = ['pointerdown', 'keydown', 'input']

/** All screens, and the dialogs above them. */
export function App() {
  return (
    <>
      <Routes>
        <Route element={<Layout />}>
          <Route path={PATHS.home} element={<LandingPage />} />
          <Route path={PATHS.serviceContent} element={<ServiceContentPage />} />
          <Route element={<SecondFactorFirst />}>
            <Route path={PATHS.tickets} element={<TicketsPage />} />
          </Route>
          <Route path="/ticket/open/:token" element={<TicketLinkPage />} />
          <Route path={PATHS.api} element={<ApiPage />} />
          <Route path="/verify-email/:token" element={<VerifyEmailPage />} />
          <Route path="/setup/:token" element={<SetupPage />} />
          <Route path="/reset-password/:token" element={<ResetPasswordPage />} />
          <Route path="/undo-email/:token" element={<UndoEmailPage />} />
          <Route path="/join-provider/:token" element={<JoinProviderPage />} />
          <Route path={PROVIDER_RETURN_PATH} element={<ProviderReturnPage />} />
          <Route path={PATHS.register} element={<RegisterPage />} />
          <Route element={<GuestsOnly />}>
            <Route path={PATHS.login} element={<LoginPage />} />
          </Route>
          <Route element={<SignedInOnly />}>
            <Route path={PATHS.profile} element={<ProfilePage />} />
            <Route path={PATHS.twoFactorSetup} element={<TwoFactorSetupPage />} />
            <Route element={<SecondFactorFirst />}>
              <Route path={PATHS.dashboard} element={<DashboardPage />} />
              <Route path={PATHS.collection} element={<CollectionsPage />} />
              <Route path="/content/:id" element={<CollectionDetailPage />} />
              <Route path={PATHS.serverContent} element={<ServerContentPage />} />
              <Route path={PATHS.users} element={<UsersPage />} />
              <Route path="/users/:id" element={<PersonPage />} />
              <Route path={PATHS.mail} element={<MailPage />} />
            </Route>
          </Route>
          <Route path={PATHS.about} element={<AboutPage />} />
          <Route path={PATHS.contact} element={<ContactPage />} />
          <Route path={PATHS.privacy} element={<PrivacyPage />} />
          <Route path={PATHS.terms} element={<TermsPage />} />
          <Route path="*" element={<MissingPage />} />
        </Route>
      </Routes>
      <IdentityGate />
      <DialogGate />
    </>
  )
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
