import { Description } from '@proofdesk/contract/reviews'
import { useState, type SubmitEvent } from 'react'
import { sayIssue } from '../../lib/words.ts'
import { m } from '../../paraglide/messages.js'
import { ErrorBanner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Checkbox, TextArea, TextField } from '../../ui/text-field.tsx'
import type { Approval } from './api.ts'
import { readZone, toLocalValue, toUtc } from './expiry.ts'

export interface ApproveDialogProps {
  open: boolean
  busy: boolean
  problem: string | undefined
  onClose: () => void
  onApprove: (approval: Approval) => void
}

export function ApproveDialog({ open, onClose, ...form }: ApproveDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={m.review_approve_title()}>
      <ApproveForm onClose={onClose} {...form} />
    </Dialog>
  )
}

interface Problems {
  description?: string | undefined
  expiry?: string | undefined
}

function ApproveForm({ busy, problem, onClose, onApprove }: Omit<ApproveDialogProps, 'open'>) {
  const [description, setDescription] = useState('')
  const [expiry, setExpiry] = useState('')
  const [earliest] = useState(() => toLocalValue(new Date()))
  const [isEndless, setIsEndless] = useState(false)
  const [problems, setProblems] = useState<Problems>({})

  function handleSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (busy) return
    const checked = Description.safeParse(description)
    const expireTime = isEndless ? null : toUtc(expiry)
    setProblems({
      description: sayIssue(checked.error?.issues[0]?.message),
      expiry: judgeExpiry(expireTime),
    })
    if (!checked.success || expireTime === undefined || judgeExpiry(expireTime)) return
    onApprove({ admin_desc: checked.data, expire_time: expireTime })
  }

  return (
    <form noValidate onSubmit={handleSubmit} aria-busy={busy} className="mt-4">
      <div className="grid gap-4">
        {problem && <ErrorBanner>{problem}</ErrorBanner>}
        <TextArea
          label={m.review_description()}
          hint={m.review_description_hint_approve()}
          required
          value={description}
          error={problems.description}
          onChange={({ target }) => setDescription(target.value)}
        />
        <div className="grid gap-2">
          <TextField
            label={m.review_expire_time()}
            hint={m.review_expire_hint({ zone: readZone() })}
            type="datetime-local"
            required={!isEndless}
            disabled={isEndless}
            min={earliest}
            value={isEndless ? '' : expiry}
            error={problems.expiry}
            onChange={({ target }) => setExpiry(target.value)}
          />
          <Checkbox
            label={m.review_no_expiry()}
            checked={isEndless}
            onChange={({ target }) => {
              setIsEndless(target.checked)
              setProblems({ ...problems, expiry: undefined })
            }}
          />
        </div>
      </div>
      <DialogActions>
        <Button onClick={onClose}>{m.cancel()}</Button>
        <Button type="submit" kind="brand" busy={busy}>
          {busy ? m.review_approving() : m.review_approve()}
        </Button>
      </DialogActions>
    </form>
  )
}

/** @param expireTime null for never, undefined when none was entered. */
function judgeExpiry(expireTime: string | null | undefined): string | undefined {
  if (expireTime === undefined) return m.review_expire_required()
  return expireTime !== null && Date.parse(expireTime) <= Date.now() ? m.expire_time_past() : undefined
}
