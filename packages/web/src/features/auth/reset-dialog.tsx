import { requestReset } from '@proofdesk/contract/account'
import { useState, type SubmitEvent } from 'react'
import { ApiError, NetworkError } from '../../lib/api-error.ts'
import { addWait, wordsOf } from '../../lib/error-words.ts'
import { call } from '../../lib/call.ts'
import { useBusy, type Working } from '../../lib/use-busy.ts'
import { sayIssue } from '../../lib/words.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { focusFirstFault } from '../../ui/focus-first-fault.ts'
import { TextField } from '../../ui/text-field.tsx'

export interface ResetDialogProps extends Omit<ResetFormProps, keyof Working> {
  open: boolean
}

/** Asks for the address that a reset link is mailed to. */
export default function ResetDialog({ open, ...form }: ResetDialogProps) {
  const [busy, run] = useBusy()
  return (
    <Dialog open={open} onClose={() => busy || form.onClose()} title={m.reset_title()} description={m.reset_text()}>
      <ResetForm {...form} busy={busy} run={run} />
    </Dialog>
  )
}

interface ResetFormProps extends Working {
  email: string
  onEmail: (email: string) => void
  onClose: () => void
  onDone: (message: string) => void
}

function ResetForm({ email, busy, run, onEmail, onClose, onDone }: ResetFormProps) {
  const [problem, setProblem] = useState<string>()

  async function ask(address: string, form: HTMLFormElement) {
    try {
      const { message } = await call(requestReset, { body: { email: address } })
      onDone(message)
    } catch (error) {
      setProblem(explainFailure(error))
      focusFirstFault(form)
    }
  }

  function handleSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const checked = requestReset.body.shape.email.safeParse(email)
    setProblem(sayIssue(checked.error?.issues[0]?.message))
    const form = event.currentTarget
    if (checked.success) void run(() => ask(checked.data, form))
    else focusFirstFault(form)
  }

  return (
    <form noValidate onSubmit={handleSubmit} aria-busy={busy} className="mt-4 grid gap-4">
      <TextField
        label={m.reset_email()}
        type="email"
        autoComplete="email"
        required
        value={email}
        error={problem}
        onChange={({ target }) => {
          onEmail(target.value)
          setProblem(undefined)
        }}
      />
      <DialogActions>
        <Button disabled={busy} onClick={onClose}>
          {m.cancel()}
        </Button>
        <Button type="submit" kind="brand" busy={busy}>
          {m.reset_submit()}
        </Button>
      </DialogActions>
    </form>
  )
}

/** The error field's text, else the specification's default. */
function explainFailure(error: unknown): string {
  if (error instanceof NetworkError) return wordsOf(error, m.reset_failed())
  const text = error instanceof ApiError ? error.body['error'] : undefined
  return typeof text === 'string' && text ? addWait(error, text) : m.reset_failed()
}
