import { AccountDeletion } from '../../features/account/account-deletion.tsx'
import { ChangePassword } from '../../features/account/change-password.tsx'
import { EmailVerification } from '../../features/account/email-verification.tsx'
import { useProfile } from '../../features/account/api.ts'
import { LinkedProviders } from '../../features/account/linked-providers.tsx'
import { ProfileForm } from '../../features/account/profile-form.tsx'
import { SessionsSection } from '../../features/sessions/sessions-section.tsx'
import { FreshRecoveryCodes } from '../../features/two-factor/recovery-codes.tsx'
import { TwoFactorSection } from '../../features/two-factor/two-factor-section.tsx'
import { wordsOf } from '../../lib/error-words.ts'
import { m } from '../../paraglide/messages.js'
import { ErrorBanner } from '../../ui/banner.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { RetryButton } from '../../ui/retry-button.tsx'
import { LoadingArea } from '../../ui/spinner.tsx'

export default function ProfilePage() {
  return (
    <>
      <PageHeading title={m.profile_title()} lead={m.profile_lead()} />
      <div className="mt-6 grid grid-cols-[minmax(0,1fr)] gap-5">
        <FreshRecoveryCodes />
        <ProfileSections />
      </div>
    </>
  )
}

function ProfileSections() {
  const { data: profile, error, refetch, isFetching } = useProfile()
  if (profile === undefined) {
    if (!error) return <LoadingArea />
    return (
      <div className="grid justify-items-start gap-4">
        <ErrorBanner>{m.profile_load_failed({ detail: wordsOf(error, m.internal()) })}</ErrorBanner>
        <RetryButton busy={isFetching} onClick={() => void refetch()} />
      </div>
    )
  }
  return (
    <div className="grid items-start gap-5 lg:grid-cols-2">
      <div className="grid gap-5">
        <ProfileForm profile={profile} />
        <EmailVerification profile={profile} />
        <SessionsSection />
      </div>
      <div className="grid gap-5">
        <ChangePassword />
        <TwoFactorSection isEnabled={profile.gfa_is_enabled} onChanged={() => void refetch()} />
        <LinkedProviders />
        <AccountDeletion />
      </div>
    </div>
  )
}
