import { closeTicketSession } from '@proofdesk/contract/tickets'
import { call } from '../../lib/call.ts'
import { wordsOf } from '../../lib/error-words.ts'
import { clearDraftsEverywhere } from '../../lib/session-calls.ts'
import { useBusy } from '../../lib/use-busy.ts'
import { m } from '../../paraglide/messages.js'
import { askConfirm } from '../../ui/ask.ts'
import { Button } from '../../ui/button.tsx'
import { goOnAtHeading } from '../../ui/go-on-at-heading.ts'
import { showToast } from '../../ui/toast.ts'
import { forgetVisitorEmail } from './visitor-email.ts'

/** For machines that others use too: nothing of a visitor stays in the browser, whichever of its tabs they leave. */
export function LeaveButton() {
  const [busy, run] = useBusy()

  async function leave() {
    const isSure = await askConfirm({
      title: m.are_you_sure(),
      text: m.visitor_leave_text(),
      action: m.visitor_leave(),
      danger: true,
    })
    if (!isSure) return
    try {
      await call(closeTicketSession, {})
      clearDraftsEverywhere()
      forgetVisitorEmail()
      showToast(m.visitor_left())
    } catch (error) {
      showToast(wordsOf(error, m.visitor_leave_failed()), 'error')
    }
  }

  return (
    <Button ref={goOnAtHeading} busy={busy} onClick={() => void run(leave)}>
      {m.visitor_leave()}
    </Button>
  )
}
