import { useState } from 'react'
import { PATHS } from '../../lib/paths.ts'
import { m } from '../../paraglide/messages.js'
import { ErrorBanner } from '../../ui/banner.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { FormSheet } from '../../ui/form-sheet.tsx'
import { LoadingArea } from '../../ui/spinner.tsx'
import { useTwoFactorSetup } from './api.ts'
import { EnableForm } from './enable-form.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { SecretCard } from './secret-card.tsx'

/** Scan, confirm, keep the recovery codes. */
export function TwoFactorSetup() {
  const [recoveryCodes, setRecoveryCodes] = useState<string[]>()
  if (recoveryCodes) {
    return (
      <FormSheet key="codes" title={m.recovery_title()} lead={m.recovery_lead()}>
        <RecoveryCodes codes={recoveryCodes} />
      </FormSheet>
    )
  }
  return (
    <FormSheet title={m.two_factor_setup_title()} lead={m.two_factor_setup_lead()}>
      <div className="grid gap-6">
        <Setup onEnabled={setRecoveryCodes} />
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
      <Button kind="brand" busy={isFetching} onClick={() => void refetch()}>
        {m.retry()}
      </Button>
    </>
  )
}
