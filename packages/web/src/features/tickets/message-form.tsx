import { TicketMessageText } from '@proofdesk/contract/tickets'
import { wordsOf } from '../../lib/error-words.ts'
import { m } from '../../paraglide/messages.js'
import { WritingForm } from '../../ui/writing-form.tsx'
import { useSendMessage } from './api.ts'
import type { Asker } from './asker.ts'
import { draftOfMessage } from './ticket-drafts.ts'

export function MessageForm({ asker, ticketId }: { asker: Asker; ticketId: number }) {
  return (
    <WritingForm
      label={m.message_label()}
      draft={draftOfMessage(asker, ticketId)}
      schema={TicketMessageText}
      sending={useSendMessage(asker, ticketId)}
      done={m.message_sent()}
      explain={(error) => wordsOf(error, m.message_send_failed())}
    />
  )
}
