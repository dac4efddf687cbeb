import type { Ticket } from '@proofdesk/contract/tickets'
import { Lock, LockOpen } from 'lucide-react'
import { wordsOf } from '../../lib/error-words.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { showToast } from '../../ui/toast.ts'
import { useChangeTicket } from './api.ts'

/** Closes or reopens the ticket; there only for those who may. */
export function LockButton({ ticket }: { ticket: Ticket }) {
  const change = useChangeTicket(ticket.id)
  if (!ticket.may.close) return null
  const Icon = ticket.is_locked ? LockOpen : Lock

  function toggleLock() {
    change.mutate(!ticket.is_locked, {
      onSuccess: ({ is_locked: isLocked }) => showToast(isLocked ? m.ticket_closed_done() : m.ticket_reopened_done()),
      onError: (error) => showToast(wordsOf(error, m.ticket_change_failed()), 'error'),
    })
  }

  return (
    <Button busy={change.isPending} onClick={toggleLock} className="min-h-9 text-sm">
      <Icon aria-hidden size={15} />
      {ticket.is_locked ? m.ticket_reopen() : m.ticket_close()}
    </Button>
  )
}
