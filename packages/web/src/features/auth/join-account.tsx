import { joinAccount, mailJoinLink } from '@proofdesk/contract/provider-login'
import { UserInfo } from '@proofdesk/contract/users'
import { useState, type SubmitEvent } from 'react'
import { ApiError, wordsOf } from '../../lib/api-error.ts'
import { attempt } from '../../lib/attempt.ts'
import { call } from '../../lib/call.ts'
import { startSession } from '../../lib/session.ts'
import { useBusy } from '../../lib/use-busy.ts'
import { m } from '../../paraglide/messages.js'
import { showNotice } from '../../ui/ask.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { TextField } from '../../ui/text-field.tsx'

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
  const [password, setPassword] = useState('')
  const [otp, setOtp] = useState('')
  const [needsCode, setNeedsCode] = useState(false)
  const [problem, setProblem] = useState<{ at: 'password' | 'otp'; text: string }>()
  const [busy, run] = useBusy()

  async function join() {
    const body = { code, password, ...(needsCode && otp && { otp }) }
    const outcome = await run(() => attempt(call(joinAccount, { body })))
    if (!outcome) return
    if (outcome.isDone) {
      const { access, refresh, ...user } = outcome.value
      return startSession({ access, refresh }, UserInfo.parse(user))
    }
    const reason = outcome.error instanceof ApiError ? outcome.error.body.code : undefined
    const text = wordsOf(outcome.error, m.login_failed())
    if (reason === 'two_factor_code_missing') setNeedsCode(true)
    if (reason === 'two_factor_code_missing' || reason === 'two_factor_code_wrong') setProblem({ at: 'otp', text })
    else if (reason === 'password_wrong') setProblem({ at: 'password', text })
    else await giveUp(text)
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
    if (password) void join()
    else setProblem({ at: 'password', text: m.field_required() })
  }

  return (
    <form noValidate onSubmit={handleSubmit} aria-busy={busy} className="mt-4 grid gap-4">
      <PasswordField
        label={m.provider_join_password()}
        autoComplete="current-password"
        required
        error={problem?.at === 'password' ? problem.text : undefined}
        value={password}
        onChange={({ target }) => {
          setPassword(target.value)
          setProblem(undefined)
        }}
      />
      {needsCode && (
        <TextField
          label={m.two_factor_code()}
          hint={m.two_factor_code_hint()}
          autoComplete="one-time-code"
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
