import { confirmIdentity, showConfirmation } from '@proofdesk/contract/account'
import type { ProviderId } from '@proofdesk/contract/provider-login'
import type { In, Out } from '@proofdesk/contract/route'
import { useEffect, useState, useSyncExternalStore, type SubmitEvent } from 'react'
import { ApiError, wordsOf } from '../../lib/api-error.ts'
import { attempt } from '../../lib/attempt.ts'
import { call } from '../../lib/call.ts'
import { answerIdentity, isIdentityAsked, watchIdentity } from '../../lib/confirm-identity.ts'
import { sayCode } from '../../lib/error-words.ts'
import { useBusy } from '../../lib/use-busy.ts'
import { m } from '../../paraglide/messages.js'
import { ErrorBanner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { LoadingArea } from '../../ui/spinner.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { openProviderWindow, watchHandover } from './provider-address.ts'

type Ways = Out<typeof showConfirmation>

/** Asks in place who the person is, whichever call needs to know. Stands once, at the top of the app. */
export default function ConfirmIdentity() {
  const isAsked = useSyncExternalStore(watchIdentity, isIdentityAsked)
  return (
    <Dialog
      open={isAsked}
      onClose={() => answerIdentity(false)}
      title={m.confirm_identity_title()}
      description={m.confirm_identity_text()}
    >
      {isAsked && <Loader />}
    </Dialog>
  )
}

function Loader() {
  const [ways, setWays] = useState<Ways>()
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    const leaving = new AbortController()
    async function load() {
      const outcome = await attempt(call(showConfirmation, {}, { signal: leaving.signal }))
      if (leaving.signal.aborted) return
      if (outcome.isDone) setWays(outcome.value)
      else setProblem(wordsOf(outcome.error, m.internal()))
    }
    void load()
    return () => leaving.abort()
  }, [])
  if (ways) return <ConfirmForm ways={ways} />
  return <div className="mt-4">{problem === undefined ? <LoadingArea /> : <ErrorBanner>{problem}</ErrorBanner>}</div>
}

function ConfirmForm({ ways }: { ways: Ways }) {
  const [password, setPassword] = useState('')
  const [otp, setOtp] = useState('')
  const [problem, setProblem] = useState<{ at: 'password' | 'otp' | 'all'; text: string }>()
  const [busy, run] = useBusy()
  const hasWay = ways.has_password || ways.providers.length > 0

  async function confirm(shown: In<typeof confirmIdentity, 'body'>) {
    const body = { ...shown, ...(ways.gfa_is_enabled && { otp }) }
    const outcome = await run(() => attempt(call(confirmIdentity, { body })))
    if (outcome?.isDone) return answerIdentity(true)
    if (!outcome) return
    const { error } = outcome
    const code = error instanceof ApiError ? error.body.code : undefined
    const at = code?.startsWith('two_factor') ? 'otp' : code === 'password_wrong' ? 'password' : 'all'
    setProblem({ at, text: wordsOf(error, m.confirm_identity_failed()) })
  }

  function findGap(): typeof problem {
    if (ways.gfa_is_enabled && otp.trim() === '') return { at: 'otp', text: m.field_required() }
    return undefined
  }

  function handleSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const gap = ways.has_password && !password ? { at: 'password' as const, text: m.field_required() } : findGap()
    setProblem(gap)
    if (!gap && ways.has_password) void confirm({ password })
  }

  function askProvider(id: ProviderId) {
    const gap = findGap()
    setProblem(gap)
    if (gap) return
    const stop = watchHandover((handover) => {
      stop()
      if ('code' in handover) void confirm({ provider_code: handover.code })
      else if ('error' in handover)
        setProblem({ at: 'all', text: sayCode(handover.error) ?? m.confirm_identity_failed() })
    })
    openProviderWindow(id, 'confirm')
  }

  return (
    <form noValidate onSubmit={handleSubmit} aria-busy={busy} className="mt-4 grid gap-4">
      {problem?.at === 'all' && <ErrorBanner>{problem.text}</ErrorBanner>}
      {ways.has_password && (
        <PasswordField
          label={m.login_password()}
          autoComplete="current-password"
          required
          error={problem?.at === 'password' ? problem.text : undefined}
          value={password}
          onChange={({ target }) => {
            setPassword(target.value)
            setProblem(undefined)
          }}
        />
      )}
      {ways.gfa_is_enabled && hasWay && (
        <TextField
          label={m.two_factor_code()}
          hint={m.two_factor_code_hint()}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          required
          className="font-mono"
          error={problem?.at === 'otp' ? problem.text : undefined}
          value={otp}
          onChange={({ target }) => {
            setOtp(target.value)
            setProblem(undefined)
          }}
        />
      )}
      {!ways.has_password &&
        ways.providers.map(({ id, name }) => (
          <Button key={id} kind="brand" busy={busy} onClick={() => askProvider(id)}>
            {m.confirm_identity_provider({ name })}
          </Button>
        ))}
      {!hasWay && <p className="text-ink-2">{m.confirm_identity_no_way()}</p>}
      <DialogActions>
        <Button onClick={() => answerIdentity(false)}>{m.cancel()}</Button>
        {ways.has_password && (
          <Button type="submit" kind="brand" busy={busy}>
            {m.confirm_identity_submit()}
          </Button>
        )}
      </DialogActions>
    </form>
  )
}
