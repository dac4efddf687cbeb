import { ticketFace, type TicketFace } from '@proofdesk/contract/status'
import type { Ticket } from '@proofdesk/contract/tickets'
import { CircleDot, Hourglass, Lock, MessageCircleReply, type LucideIcon } from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import { Badge } from '../../ui/badge.tsx'
import type { Tone } from '../../ui/tone.ts'

interface FaceLook {
  icon: LucideIcon
  tone: Tone
  word: string
}

/** Icon, colour and word, the same wherever a ticket's status is shown. */
export function lookOf(face: TicketFace): FaceLook {
  switch (face) {
    case 'OPEN':
      return { icon: CircleDot, tone: 'brand', word: m.ticket_face_open() }
    case 'IN_PROGRESS':
      return { icon: Hourglass, tone: 'warn', word: m.ticket_face_in_progress() }
    case 'ANSWERED':
      return { icon: MessageCircleReply, tone: 'ok', word: m.ticket_face_answered() }
    case 'CLOSED':
      return { icon: Lock, tone: 'muted', word: m.ticket_face_closed() }
  }
}

export function TicketBadge({ ticket }: { ticket: Pick<Ticket, 'status' | 'is_locked'> }) {
  const { icon, tone, word } = lookOf(ticketFace(ticket))
  return (
    <Badge icon={icon} tone={tone}>
      {word}
    </Badge>
  )
}

/** There is a message the reader has not seen. */
export function UnreadMark() {
  return (
    <span className="inline-flex items-center gap-1.5 font-semibold text-brand">
      <span aria-hidden className="size-2 rounded-full bg-brand" />
      {m.ticket_unread()}
    </span>
  )
}
