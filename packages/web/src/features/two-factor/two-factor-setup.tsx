import { useState } from 'react'
import { useNavigate } from 'react-router'
import { PATHS } from '../../lib/paths.ts'
import { readPersonId } from '../../lib/session.ts'
import { useTwoFactorDemanded } from '../../lib/second-factor.ts'
import { m } from '../../paraglide/messages.js'
import { ErrorBanner, WarnBanner } from '../../ui/banner.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { FormSheet } from '../../ui/form-sheet.tsx'
import { RetryButton } from '../../ui/retry-button.tsx'
import { LoadingArea } from '../../ui/spinner.tsx'
import { useTwoFactorSetup } from './api.ts'
import { EnableForm } from './enable-form.tsx'
import { showFreshCodes } from './fresh-codes.ts'
import { SecretCard } from './secret-card.tsx'

/** Scan, confirm, and back to the profile, which shows the recovery codes. */
export function TwoFactorSetup() {
  const navigate = useNavigate()
  const isDemanded = useTwoFactorDemanded()
  const [personId] = useState(readPersonId)
  function finish(recoveryCodes: string[]) {
    showFreshCodes(recoveryCodes, personId)
    void navigate(PATHS.profile, { replace: true })
  }
  return (
    <FormSheet title={m.two_factor_setup_title()} lead={m.two_factor_setup_lead()}>
      <div className="grid gap-6">
        {isDemanded && <WarnBanner>{m.two_factor_required()}</WarnBanner>}
        <Setup onEnabled={finish} />
        <ButtonLink to={PATHS.profile}>{m.back_to_profile()}</ButtonLink>
      </div>
    </FormSheet>
  )
}

function Setup({ onEnabled }: { onEnabled: (recoveryCodes: string[]) => void }) {
  const { data: setup, error, isFetching, refetch } = useTwoFactorSetup()
  if (setup) {
    return (
      <>
        <SecretCard setup={setup} />
        <EnableForm onEnabled={onEnabled} onStale={() => void refetch()} />
      </>
    )
  }
  if (!error) return <LoadingArea />
  return (
    <>
      <ErrorBanner>{m.two_factor_setup_failed()}</ErrorBanner>
      <RetryButton kind="brand" busy={isFetching} onClick={() => void refetch()} />
    </>
  )
}
