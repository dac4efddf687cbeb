import { OTP_LENGTH, PROFILE_DIALOG_MS } from '@proofdesk/contract/limits'
import { Otp } from '@proofdesk/contract/two-factor'
import { useState, type SubmitEvent } from 'react'
import { ApiError } from '../../lib/api-error.ts'
import { wordsOf } from '../../lib/error-words.ts'
import { attempt } from '../../lib/attempt.ts'
import { useBusy } from '../../lib/use-busy.ts'
import { m } from '../../paraglide/messages.js'
import { showNotice } from '../../ui/ask.ts'
import { Button } from '../../ui/button.tsx'
import { focusFirstFault } from '../../ui/focus-first-fault.ts'
import { TextField } from '../../ui/text-field.tsx'
import { useEnableTwoFactor } from './api.ts'

/** A blank between the halves may be typed too. */
const MOST_TYPED = OTP_LENGTH + 1

export interface EnableFormProps {
  onEnabled: (recoveryCodes: string[]) => void
  /** The secret on screen is no longer the pending one. */
  onStale: () => void
}

export function EnableForm({ onEnabled, onStale }: EnableFormProps) {
  const [otp, setOtp] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, run] = useBusy()
  const enable = useEnableTwoFactor()

  async function submit(code: string, form: HTMLFormElement) {
    const outcome = await run(() => attempt(enable.mutateAsync(code)))
    if (!outcome) return
    if (outcome.isDone) {
      // First of all: they are told once, and nothing that goes wrong from here on may lose them.
      onEnabled(outcome.value.recovery_codes ?? [])
      return showNotice({ title: m.two_factor_enabled(), tone: 'success', closeAfterMs: PROFILE_DIALOG_MS })
    }
    const { error } = outcome
    setProblem(wordsOf(error, m.two_factor_enable_failed()))
    focusFirstFault(form)
    if (error instanceof ApiError && error.body.code === 'two_factor_not_begun') onStale()
  }

  function handleSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const checked = Otp.safeParse(otp)
    setProblem(checked.success ? undefined : m.otp_malformed())
    if (checked.success) void submit(checked.data, event.currentTarget)
    else focusFirstFault(event.currentTarget)
  }

  return (
    <form noValidate onSubmit={handleSubmit} aria-busy={busy} className="grid gap-4">
      <TextField
        label={m.two_factor_otp()}
        hint={m.two_factor_otp_hint()}
        error={problem}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={MOST_TYPED}
        required
        className="font-mono text-lg tracking-[0.2em]"
        value={otp}
        onChange={({ target }) => {
          setOtp(target.value)
          setProblem(undefined)
        }}
      />
      <Button type="submit" kind="brand" busy={busy} className="min-h-10.5">
        {busy ? m.two_factor_enabling() : m.two_factor_enable()}
      </Button>
    </form>
  )
}
