import { joinAccount, mailJoinLink } from '@proofdesk/contract/provider-login'
import { UserInfo } from '@proofdesk/contract/users'
import { useState, type SubmitEvent } from 'react'
import { ApiError } from '../../lib/api-error.ts'
import { attempt } from '../../lib/attempt.ts'
import { call } from '../../lib/call.ts'
import { startSession } from '../../lib/session.ts'
import { useBusy, type Working } from '../../lib/use-busy.ts'
import { m } from '../../paraglide/messages.js'
import { showNotice } from '../../ui/ask.ts'
import { ErrorBanner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { ProofFields, toProblem, useProof } from './proof-fields.tsx'

/** After these nothing that is typed here helps; any other failure leaves the offer as it is. */
const ENDS = new Set(['provider_join_ended', 'provider_account_taken', 'provider_account_unverified'])

interface JoinAccountProps {
  code: string
  onClose: () => void
}

/** Somebody from a provider shows that the account with their e-mail is theirs: by its password or by a mailed link. */
export default function JoinAccount({ code, onClose }: JoinAccountProps) {
  const [busy, run] = useBusy()
  return (
    <Dialog
      open
      // What is under way signs in all the same.
      onClose={() => busy || onClose()}
      title={m.provider_join_title()}
      description={m.provider_join_text()}
    >
      <JoinForm code={code} busy={busy} run={run} onClose={onClose} />
    </Dialog>
  )
}

function JoinForm({ code, busy, run, onClose }: JoinAccountProps & Working) {
  const proof = useProof()
  const [needsCode, setNeedsCode] = useState(false)

  async function join() {
    const { password, otp } = proof
    const body = { code, password, ...(needsCode && { otp }) }
    const outcome = await run(() => attempt(call(joinAccount, { body })))
    if (!outcome) return
    if (outcome.isDone) {
      const { access, refresh, ...user } = outcome.value
      return startSession({ access, refresh }, UserInfo.parse(user))
    }
    await explain(outcome.error)
  }

  async function explain(error: unknown) {
    const problem = toProblem(error, m.login_failed())
    if (error instanceof ApiError && ENDS.has(error.body.code)) return giveUp(problem.text)
    if (problem.at === 'otp') setNeedsCode(true)
    proof.setProblem(problem)
  }

  async function sendLink() {
    const outcome = await run(() => attempt(call(mailJoinLink, { body: { code } })))
    if (!outcome) return
    if (!outcome.isDone) return explain(outcome.error)
    onClose()
    await showNotice({ title: m.provider_join_mailed_title(), text: m.provider_join_mailed(), tone: 'success' })
  }

  async function giveUp(text: string) {
    onClose()
    await showNotice({ title: m.provider_login_failed_title(), text })
  }

  function handleSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (proof.isComplete('password', ...(needsCode ? (['otp'] as const) : []))) void join()
  }

  return (
    <form noValidate onSubmit={handleSubmit} aria-busy={busy} className="mt-4 grid gap-4">
      {proof.problem?.at === 'all' && <ErrorBanner>{proof.problem.text}</ErrorBanner>}
      <ProofFields proof={proof} passwordLabel={m.provider_join_password()} asksCode={needsCode} />
      <DialogActions>
        <Button busy={busy} onClick={() => void sendLink()}>
          {m.provider_join_by_mail()}
        </Button>
        <Button type="submit" kind="brand" busy={busy}>
          {m.provider_join_submit()}
        </Button>
      </DialogActions>
    </form>
  )
}
