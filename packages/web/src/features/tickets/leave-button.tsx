import { closeTicketSession } from '@proofdesk/contract/tickets'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { clearDrafts } from '../../lib/drafts.ts'
import { wordsOf } from '../../lib/error-words.ts'
import { QUERY_KEYS } from '../../lib/query-keys.ts'
import { useBusy } from '../../lib/use-busy.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { showToast } from '../../ui/toast.ts'
import { forgetVisitorEmail } from './visitor-email.ts'

/** For machines that others use too: nothing of a visitor stays in the browser. */
export function LeaveButton() {
  const queryClient = useQueryClient()
  const [busy, run] = useBusy()

  async function leave() {
    try {
      await call(closeTicketSession, {})
      clearDrafts()
      forgetVisitorEmail()
      queryClient.removeQueries({ queryKey: QUERY_KEYS.tickets })
      showToast(m.visitor_left())
    } catch (error) {
      showToast(wordsOf(error, m.visitor_leave_failed()), 'error')
    }
  }

  return (
    <Button busy={busy} onClick={() => void run(leave)}>
      {m.visitor_leave()}
    </Button>
  )
}
