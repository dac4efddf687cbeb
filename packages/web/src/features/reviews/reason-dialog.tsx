import { rejectCollection } from '@proofdesk/contract/reviews'
import { useState, type SubmitEvent } from 'react'
import { useDraft } from '../../lib/use-draft.ts'
import { sayIssue } from '../../lib/words.ts'
import { m } from '../../paraglide/messages.js'
import { ErrorBanner } from '../../ui/banner.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { focusFirstFault } from '../../ui/focus-first-fault.ts'
import { submitByKeys } from '../../ui/submit-by-keys.ts'
import { TextArea } from '../../ui/text-field.tsx'
import { DecidedNotice } from './decided-notice.tsx'
import { DecisionActions } from './decision-actions.tsx'
import { SavedReasons } from './saved-reasons.tsx'

export interface ReasonDialogProps {
  open: boolean
  /** Name of the description's draft. */
  draft: string
  title: string
  text?: string
  /** Word on the button that acts, and while it does. */
  action: string
  busyAction: string
  busy: boolean
  problem: string | undefined
  /** Who has decided meanwhile, or that somebody has: the text stays, to be copied. */
  decided?: string | undefined
  onClose: () => void
  onReason: (description: string) => void
}

/** Asks for the description with which a collection goes back to its owner. */
export function ReasonDialog({ open, title, text, onClose, ...form }: ReasonDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={title} description={text}>
      <ReasonForm onClose={onClose} {...form} />
    </Dialog>
  )
}

function ReasonForm(props: Omit<ReasonDialogProps, 'open' | 'title' | 'text'>) {
  const { draft, action, busyAction, busy, problem, decided, onClose, onReason } = props
  const [description, setDescription] = useDraft(draft)
  const [fault, setFault] = useState<string>()

  function handleSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (busy || decided) return
    const checked = rejectCollection.body.safeParse({ admin_desc: description })
    setFault(sayIssue(checked.error?.issues[0]?.message))
    if (checked.success) onReason(checked.data.admin_desc)
    else focusFirstFault(event.currentTarget)
  }

  return (
    <form ref={submitByKeys} noValidate onSubmit={handleSubmit} aria-busy={busy} className="mt-4">
      <div className="grid gap-4">
        {problem && <ErrorBanner>{problem}</ErrorBanner>}
        {decided && <DecidedNotice text={decided} />}
        <TextArea
          label={m.review_description()}
          hint={m.review_description_hint_reject()}
          required
          readOnly={decided !== undefined}
          value={description}
          error={fault}
          onChange={({ target }) => setDescription(target.value)}
        />
        {!decided && <SavedReasons decision="reject" text={description} onText={setDescription} />}
      </div>
      <DecisionActions
        kind="danger"
        word={busy ? busyAction : action}
        busy={busy}
        isDecided={decided !== undefined}
        onClose={onClose}
      />
    </form>
  )
}
