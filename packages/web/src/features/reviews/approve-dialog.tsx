import { Description } from '@proofdesk/contract/reviews'
import { useState, type SubmitEvent } from 'react'
import { toLocalValue } from '../../lib/local-time.ts'
import { useUser } from '../../lib/session.ts'
import { useDraft } from '../../lib/use-draft.ts'
import { sayIssue } from '../../lib/words.ts'
import { m } from '../../paraglide/messages.js'
import { ErrorBanner } from '../../ui/banner.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ExpiryFields, judgeExpiry, readEntry } from '../../ui/expiry-fields.tsx'
import { focusFirstFault } from '../../ui/focus-first-fault.ts'
import { submitByKeys } from '../../ui/submit-by-keys.ts'
import { TextArea } from '../../ui/text-field.tsx'
import type { Approval } from './api.ts'
import { DecidedNotice } from './decided-notice.tsx'
import { DecisionActions } from './decision-actions.tsx'
import { keepExpiryChoice, readExpiryChoice } from './expiry-choice.ts'
import { useExpiryDraft } from './expiry-draft.ts'
import { SavedReasons } from './saved-reasons.tsx'

export interface ApproveDialogProps {
  open: boolean
  /** Name of the description's draft. */
  draft: string
  /** Name of the expiry's draft. */
  expiryDraft: string
  busy: boolean
  problem: string | undefined
  /** Who has decided meanwhile, or that somebody has: what was entered stays, to be copied. */
  decided: string | undefined
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

function ApproveForm(props: Omit<ApproveDialogProps, 'open'>) {
  const { draft, expiryDraft, busy, problem, decided, onClose, onApprove } = props
  const [description, setDescription] = useDraft(draft)
  const { id: userId } = useUser()
  const [expiry, setExpiry] = useExpiryDraft(expiryDraft, readExpiryChoice(userId))
  const [earliest] = useState(() => toLocalValue(new Date()))
  const [problems, setProblems] = useState<Problems>({})

  function handleSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (busy || decided) return
    const checked = Description.safeParse(description)
    const expireTime = readEntry(expiry)
    setProblems({
      description: sayIssue(checked.error?.issues[0]?.message),
      expiry: judgeExpiry(expiry),
    })
    if (!checked.success || expireTime === undefined || judgeExpiry(expiry)) {
      focusFirstFault(event.currentTarget)
      return
    }
    keepExpiryChoice(userId, expiry.choice)
    onApprove({ admin_desc: checked.data, expire_time: expireTime })
  }

  return (
    <form ref={submitByKeys} noValidate onSubmit={handleSubmit} aria-busy={busy} className="mt-4">
      <div className="grid gap-4">
        {problem && <ErrorBanner>{problem}</ErrorBanner>}
        {decided && <DecidedNotice text={decided} />}
        <TextArea
          label={m.review_description()}
          hint={m.review_description_hint_approve()}
          required
          readOnly={decided !== undefined}
          value={description}
          error={problems.description}
          onChange={({ target }) => setDescription(target.value)}
        />
        {!decided && (
          <>
            <SavedReasons decision="approve" text={description} onText={setDescription} />
            <ExpiryFields
              entry={expiry}
              earliest={earliest}
              error={problems.expiry}
              onChange={(entry) => {
                setExpiry(entry)
                setProblems({ ...problems, expiry: undefined })
              }}
            />
          </>
        )}
      </div>
      <DecisionActions
        kind="brand"
        word={busy ? m.review_approving() : m.review_approve()}
        busy={busy}
        isDecided={decided !== undefined}
        onClose={onClose}
      />
    </form>
  )
}
