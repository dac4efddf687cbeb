import { TicketTitle, type Ticket } from '@proofdesk/contract/tickets'
import { useState, type SubmitEvent } from 'react'
import { attempt } from '../../lib/attempt.ts'
import { wordsOf } from '../../lib/error-words.ts'
import { leaveWhenAnswered } from '../../lib/leave-when-answered.ts'
import { useDraft } from '../../lib/use-draft.ts'
import { sayIssue } from '../../lib/words.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { focusFirstFault } from '../../ui/focus-first-fault.ts'
import { TextField } from '../../ui/text-field.tsx'
import { showToast } from '../../ui/toast.ts'
import { useCreateTicket } from './api.ts'
import type { Asker } from './asker.ts'
import { draftOfTicket } from './ticket-drafts.ts'

export interface AddTicketDialogProps {
  asker: Asker
  open: boolean
  /** The title that a link brought along, to be changed or sent as it is. */
  suggested: string | undefined
  onClose: () => void
  onCreated: (ticket: Ticket) => void
}

export function AddTicketDialog({ asker, open, suggested, onClose, onCreated }: AddTicketDialogProps) {
  const draft = draftOfTicket(asker, suggested)
  const create = useCreateTicket(asker, draft)
  const leave = () => leaveWhenAnswered(create, onClose)
  return (
    <Dialog open={open} onClose={leave} title={m.ticket_new()}>
      <AddTicketForm draft={draft} suggested={suggested} create={create} onLeave={leave} onCreated={onCreated} />
    </Dialog>
  )
}

interface AddTicketFormProps {
  draft: string
  suggested: string | undefined
  create: ReturnType<typeof useCreateTicket>
  onLeave: () => void
  onCreated: (ticket: Ticket) => void
}

/** What was typed stays until the ticket is there. */
function AddTicketForm({ draft, suggested, create, onLeave, onCreated }: AddTicketFormProps) {
  const [typed, setTitle] = useDraft(draft)
  // What stands there of itself is no draft: leaving it loses nothing.
  const [isTouched, setIsTouched] = useState(typed !== '')
  const title = isTouched ? typed : (suggested ?? typed)
  const [problem, setProblem] = useState<string>()

  function handleSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (create.isPending) return
    const form = event.currentTarget
    const checked = TicketTitle.safeParse(title)
    setProblem(sayIssue(checked.error?.issues[0]?.message))
    if (!checked.success) {
      focusFirstFault(form)
      return
    }
    void send(checked.data, form)
  }

  async function send(checked: string, form: HTMLFormElement) {
    const outcome = await attempt(create.send(checked))
    const words = outcome.isDone ? undefined : wordsOf(outcome.error, m.ticket_create_failed())
    // Whoever has left by then is told all the same, and stays where they are.
    if (!form.isConnected) return words === undefined ? showToast(m.ticket_created()) : showToast(words, 'error')
    if (outcome.isDone) return outcome.value && onCreated(outcome.value)
    setProblem(words)
    focusFirstFault(form)
  }

  return (
    <form noValidate onSubmit={handleSubmit} aria-busy={create.isPending} className="mt-5">
      <TextField
        label={m.ticket_title_label()}
        hint={m.ticket_title_hint()}
        error={problem}
        value={title}
        required
        readOnly={create.isPending}
        onChange={(event) => {
          setIsTouched(true)
          setTitle(event.target.value)
          setProblem(undefined)
        }}
      />
      <DialogActions>
        <Button
          disabled={create.isPending}
          onClick={() => {
            setTitle('')
            onLeave()
          }}
        >
          {m.cancel()}
        </Button>
        <Button type="submit" kind="brand" busy={create.isPending}>
          {create.isPending ? m.ticket_creating() : m.ticket_create()}
        </Button>
      </DialogActions>
    </form>
  )
}
