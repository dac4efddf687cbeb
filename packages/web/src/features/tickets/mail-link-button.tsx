import { requestTicketLink } from '@proofdesk/contract/tickets'
import { wordsOf } from '../../lib/error-words.ts'
import { call } from '../../lib/call.ts'
import { useBusy } from '../../lib/use-busy.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { showToast } from '../../ui/toast.ts'

/** Has the link to an address's tickets mailed to it; what is said does not tell whether there are any. */
export function MailLinkButton({ email }: { email: string }) {
  const [busy, run] = useBusy()

  async function requestLink() {
    try {
      await call(requestTicketLink, { body: { email } })
      showToast(m.ticket_link_sent())
    } catch (error) {
      showToast(wordsOf(error, m.visitor_link_failed()), 'error')
    }
  }

  return (
    <Button busy={busy} onClick={() => void run(requestLink)}>
      {m.visitor_link()}
    </Button>
  )
}
