import { confirmIdentity, showConfirmation } from '@proofdesk/contract/account'
import type { ProviderId } from '@proofdesk/contract/provider-login'
import type { In, Out } from '@proofdesk/contract/route'
import { useEffect, useState, type SubmitEvent } from 'react'
import { attempt } from '../../lib/attempt.ts'
import { call } from '../../lib/call.ts'
import { answerIdentity, useIdentityAsked } from '../../lib/confirm-identity.ts'
import { sayCode, wordsOf } from '../../lib/error-words.ts'
import { askProvider } from '../../lib/provider-address.ts'
import { useBusy } from '../../lib/use-busy.ts'
import { m } from '../../paraglide/messages.js'
import { ErrorBanner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { RetryButton } from '../../ui/retry-button.tsx'
import { LoadingArea } from '../../ui/spinner.tsx'
import { ProofFields, toProblem, useProof } from './proof-fields.tsx'

type Ways = Out<typeof showConfirmation>

/** Asks in place who the person is, whichever call needs to know. Stands once, at the top of the app. */
export default function ConfirmIdentity() {
  const isAsked = useIdentityAsked()
  const [tries, setTries] = useState(1)
  return (
    <Dialog
      open={isAsked}
      onClose={() => answerIdentity(false)}
      title={m.confirm_identity_title()}
      description={m.confirm_identity_text()}
    >
      {isAsked && <Loader key={tries} onRetry={() => setTries(tries + 1)} />}
    </Dialog>
  )
}

function Loader({ onRetry }: { onRetry: () => void }) {
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
  if (problem === undefined) return <LoadingArea />
  return (
    <div className="mt-4">
      <ErrorBanner>{problem}</ErrorBanner>
      <DialogActions>
        <Button onClick={() => answerIdentity(false)}>{m.cancel()}</Button>
        <RetryButton kind="brand" onClick={onRetry} />
      </DialogActions>
    </div>
  )
}

function ConfirmForm({ ways }: { ways: Ways }) {
  const proof = useProof()
  const [busy, run] = useBusy()
  const hasWay = ways.has_password || ways.providers.length > 0
  const code = ways.gfa_is_enabled ? (['otp'] as const) : []

  async function confirm(shown: In<typeof confirmIdentity, 'body'>) {
    const body = { ...shown, ...(ways.gfa_is_enabled && { otp: proof.otp }) }
    const outcome = await run(() => attempt(call(confirmIdentity, { body })))
    if (outcome?.isDone) answerIdentity(true)
    else if (outcome) proof.setProblem(toProblem(outcome.error, m.confirm_identity_failed()))
  }

  function handleSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (ways.has_password && proof.isComplete('password', ...code)) void confirm({ password: proof.password })
  }

  function confirmBy(id: ProviderId) {
    if (!proof.isComplete(...code)) return
    askProvider(id, 'confirm', (handover) => {
      if ('code' in handover) void confirm({ provider_code: handover.code })
      else proof.setProblem({ at: 'all', text: sayCode(handover.error) ?? m.confirm_identity_failed() })
    })
  }

  return (
    <form noValidate onSubmit={handleSubmit} aria-busy={busy} className="mt-4 grid gap-4">
      {proof.problem?.at === 'all' && <ErrorBanner>{proof.problem.text}</ErrorBanner>}
      <ProofFields
        proof={proof}
        passwordLabel={ways.has_password ? m.login_password() : undefined}
        asksCode={ways.gfa_is_enabled && hasWay}
      />
      {!ways.has_password &&
        ways.providers.map(({ id, name }) => (
          <Button key={id} kind="brand" busy={busy} onClick={() => confirmBy(id)}>
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
