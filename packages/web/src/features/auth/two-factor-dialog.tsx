import { verifyCode } from '@proofdesk/contract/two-factor'
import { useState, type SubmitEvent } from 'react'
import { ApiError } from '../../lib/api-error.ts'
import { wordsOf } from '../../lib/error-words.ts'
import { attempt } from '../../lib/attempt.ts'
import { useBusy, type Working } from '../../lib/use-busy.ts'
import { sayIssue } from '../../lib/words.ts'
import { m } from '../../paraglide/messages.js'
import { showNotice } from '../../ui/ask.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { focusFirstFault } from '../../ui/focus-first-fault.ts'
import { TextField } from '../../ui/text-field.tsx'
import { signInWithCode, type CodeRequest } from './sign-in.ts'

export interface TwoFactorDialogProps {
  /** Absent while no code is asked for. */
  request: CodeRequest | undefined
  onClose: () => void
}

/** The code step of signing in. Closing it forgets code and error; what was typed behind it stays. */
export default function TwoFactorDialog({ request, onClose }: TwoFactorDialogProps) {
  const [busy, run] = useBusy()
  return (
    <Dialog
      open={request !== undefined}
      // What is under way signs in all the same.
      onClose={() => busy || onClose()}
      title={m.two_factor_title()}
      description={m.two_factor_text()}
    >
      {request && <CodeForm request={request} busy={busy} run={run} onClose={onClose} />}
    </Dialog>
  )
}

interface CodeFormProps extends Working {
  request: CodeRequest
  onClose: () => void
}

function CodeForm({ request, busy, run, onClose }: CodeFormProps) {
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string>()

  async function verify(otp: string, form: HTMLFormElement) {
    const outcome = await run(() => attempt(signInWithCode(request, otp)))
    if (!outcome || outcome.isDone) return
    const { error } = outcome
    const text = wordsOf(error, m.two_factor_code_wrong())
    setProblem(text)
    await showNotice({ title: m.two_factor_failed_title(), text })
    // Only a new password step helps then.
    if (error instanceof ApiError && error.body.code === 'two_factor_challenge_ended') onClose()
    else focusFirstFault(form)
  }

  function handleSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const checked = verifyCode.body.shape.otp.safeParse(code)
    setProblem(sayIssue(checked.error?.issues[0]?.message))
    if (checked.success) void verify(checked.data, event.currentTarget)
    else focusFirstFault(event.currentTarget)
  }

  return (
    <form noValidate onSubmit={handleSubmit} aria-busy={busy} className="mt-4 grid gap-4">
      <TextField
        label={m.two_factor_code()}
        labelHidden
        placeholder={m.two_factor_code_placeholder()}
        hint={m.two_factor_code_hint()}
        error={problem}
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        required
        className="font-mono"
        value={code}
        onChange={({ target }) => {
          setCode(target.value)
          setProblem(undefined)
        }}
      />
      <DialogActions>
        <Button disabled={busy} onClick={onClose}>
          {m.cancel()}
        </Button>
        <Button type="submit" kind="brand" busy={busy}>
          {busy ? m.two_factor_busy() : m.two_factor_submit()}
        </Button>
      </DialogActions>
    </form>
  )
}
