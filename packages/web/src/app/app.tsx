import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react'
import { Route, Routes } from 'react-router'
import { PATHS } from '../lib/paths.ts'
import { readAsked, watchAsked } from '../ui/ask.ts'
import { GuestsOnly, SignedInOnly } from './guards.tsx'
import { Layout } from './layout.tsx'
import { RenderBoundary } from './render-boundary.tsx'

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
const MailPage = lazy(() => import('./pages/mail-page.tsx'))
const AboutPage = lazy(() => import('./pages/about-page.tsx'))
const ContactPage = lazy(() => import('./pages/contact-page.tsx'))
const PrivacyPage = lazy(() => import('./pages/privacy-page.tsx'))
const TermsPage = lazy(() => import('./pages/terms-page.tsx'))
const TicketsPage = lazy(() => import('./pages/tickets-page.tsx'))
const TicketLinkPage = lazy(() => import('./pages/ticket-link-page.tsx'))
const ApiPage = lazy(() => import('./pages/api-page.tsx'))
const MissingPage = lazy(() => import('./pages/missing-page.tsx'))
const loadDialogHost = () => import('../ui/dialog-host.tsx')
const DialogHost = lazy(loadDialogHost)

/** Out of the way of what the first screen needs. */
const DIALOGS_AFTER_MS = 1500

/** All screens, and the dialogs above them. */
export function App() {
  return (
    <>
      <Routes>
        <Route element={<Layout />}>
          <Route path={PATHS.home} element={<LandingPage />} />
          <Route path={PATHS.serviceContent} element={<ServiceContentPage />} />
          <Route path={PATHS.tickets} element={<TicketsPage />} />
          <Route path="/ticket/open/:token" element={<TicketLinkPage />} />
          <Route path={PATHS.api} element={<ApiPage />} />
          <Route path="/verify-email/:token" element={<VerifyEmailPage />} />
          <Route path="/setup/:token" element={<SetupPage />} />
          <Route path="/reset-password/:token" element={<ResetPasswordPage />} />
          <Route element={<GuestsOnly />}>
            <Route path={PATHS.login} element={<LoginPage />} />
            <Route path={PATHS.register} element={<RegisterPage />} />
          </Route>
          <Route element={<SignedInOnly />}>
            <Route path={PATHS.dashboard} element={<DashboardPage />} />
            <Route path={PATHS.profile} element={<ProfilePage />} />
            <Route path={PATHS.twoFactorSetup} element={<TwoFactorSetupPage />} />
            <Route path={PATHS.collection} element={<CollectionsPage />} />
            <Route path="/content/:id" element={<CollectionDetailPage />} />
            <Route path={PATHS.serverContent} element={<ServerContentPage />} />
            <Route path={PATHS.users} element={<UsersPage />} />
            <Route path={PATHS.mail} element={<MailPage />} />
          </Route>
          <Route path={PATHS.about} element={<AboutPage />} />
          <Route path={PATHS.contact} element={<ContactPage />} />
          <Route path={PATHS.privacy} element={<PrivacyPage />} />
          <Route path={PATHS.terms} element={<TermsPage />} />
          <Route path="*" element={<MissingPage />} />
        </Route>
      </Routes>
      <DialogGate />
    </>
  )
}

/**
 * Shows questions and notices. Their code is loaded once the first screen stands: what they tell of most is a network
 * that is away, and then it could not be.
 */
function DialogGate() {
  const asked = useSyncExternalStore(watchAsked, readAsked)
  useEffect(() => {
    const timer = setTimeout(() => void loadDialogHost().catch(() => {}), DIALOGS_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <RenderBoundary>
      <Suspense>{asked && <DialogHost />}</Suspense>
    </RenderBoundary>
  )
}
