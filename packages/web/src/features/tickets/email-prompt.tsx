import { Email } from '@proofdesk/contract/fields'
import { useState, type SubmitEvent } from 'react'
import { sayIssue } from '../../lib/words.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { focusFirstFault } from '../../ui/focus-first-fault.ts'
import { TextField } from '../../ui/text-field.tsx'

export interface EmailPromptProps {
  open: boolean
  /** The address so far; null for none. */
  email: string | null
  onClose: () => void
  onEmail: (email: string) => void
}

/** Asks a visitor for the address their tickets go by. */
export function EmailPrompt({ open, onClose, ...props }: EmailPromptProps) {
  return (
    <Dialog open={open} onClose={onClose} title={m.visitor_prompt_title()} description={m.visitor_prompt_text()}>
      <EmailForm {...props} onClose={onClose} />
    </Dialog>
  )
}

function EmailForm({ email, onClose, onEmail }: Omit<EmailPromptProps, 'open'>) {
  const [text, setText] = useState(email ?? '')
  const [problem, setProblem] = useState<string>()

  function handleSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const checked = Email.safeParse(text)
    if (checked.success) return onEmail(checked.data)
    setProblem(sayIssue(checked.error.issues[0]?.message))
    focusFirstFault(event.currentTarget)
  }

  return (
    <form noValidate onSubmit={handleSubmit} className="mt-5">
      <TextField
        label={m.visitor_email_label()}
        type="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        required
        error={problem}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setProblem(undefined)
        }}
      />
      <DialogActions>
        <Button onClick={onClose}>{m.cancel()}</Button>
        <Button type="submit" kind="brand">
          {m.visitor_continue()}
        </Button>
      </DialogActions>
    </form>
  )
}
