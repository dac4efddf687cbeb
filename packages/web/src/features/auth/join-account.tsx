import { joinAccount, mailJoinLink } from '@proofdesk/contract/provider-login'
import { UserInfo } from '@proofdesk/contract/users'
import { useState, type SubmitEvent } from 'react'
import { wordsOf } from '../../lib/error-words.ts'
import { attempt } from '../../lib/attempt.ts'
import { call } from '../../lib/call.ts'
import { startSession } from '../../lib/session.ts'
import { useBusy } from '../../lib/use-busy.ts'
import { m } from '../../paraglide/messages.js'
import { showNotice } from '../../ui/ask.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { ProofFields, toProblem, useProof } from './proof-fields.tsx'

interface JoinAccountProps {
  code: string
  onClose: () => void
}

/** Somebody from a provider shows that the account with their e-mail is theirs: by its password or by a mailed link. */
export default function JoinAccount({ code, onClose }: JoinAccountProps) {
  return (
    <Dialog open onClose={onClose} title={m.provider_join_title()} description={m.provider_join_text()}>
      <JoinForm code={code} onClose={onClose} />
    </Dialog>
  )
}

function JoinForm({ code, onClose }: { code: string; onClose: () => void }) {
  const proof = useProof()
  const [needsCode, setNeedsCode] = useState(false)
  const [busy, run] = useBusy()

  async function join() {
    const { password, otp } = proof
    const body = { code, password, ...(needsCode && { otp }) }
    const outcome = await run(() => attempt(call(joinAccount, { body })))
    if (!outcome) return
    if (outcome.isDone) {
      const { access, refresh, ...user } = outcome.value
      return startSession({ access, refresh }, UserInfo.parse(user))
    }
    const problem = toProblem(outcome.error, m.login_failed())
    if (problem.at === 'all') return giveUp(problem.text)
    if (problem.at === 'otp') setNeedsCode(true)
    proof.setProblem(problem)
  }

  async function sendLink() {
    const outcome = await run(() => attempt(call(mailJoinLink, { body: { code } })))
    if (!outcome) return
    if (!outcome.isDone) return giveUp(wordsOf(outcome.error, m.login_failed()))
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
