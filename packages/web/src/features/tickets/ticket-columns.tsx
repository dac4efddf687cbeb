import { seesAllTickets } from '@proofdesk/contract/permissions'
import { seesTicketAdmin } from '@proofdesk/contract/role-views'
import type { Ticket } from '@proofdesk/contract/tickets'
import { m } from '../../paraglide/messages.js'
import type { Column } from '../../ui/data-table.tsx'
import { DateTime } from '../../ui/time.tsx'
import { UserText } from '../../ui/user-text.tsx'
import type { Asker } from './asker.ts'
import { TicketBadge, UnreadMark } from './ticket-face.tsx'

/** The columns of specification section 2 by role. A visitor has no username; their address stands for it. */
export function columnsFor({ viewer }: Asker, chosen: number | undefined, onChoose: (id: number) => void) {
  const columns: Column<Ticket>[] = [
    {
      id: 'title',
      header: m.ticket_column_title(),
      ordering: 'title',
      phone: 'title',
      className: '@3xl:w-1/2',
      cell: (ticket) => <TitleCell ticket={ticket} isChosen={ticket.id === chosen} onChoose={onChoose} />,
    },
    {
      id: 'username',
      header: m.user_name(),
      visible: viewer !== null && seesAllTickets(viewer),
      phone: 'labelled',
      cell: ({ username, email }) => <UserText>{username ?? email}</UserText>,
    },
    {
      id: 'admin',
      header: m.ticket_column_admin(),
      visible: viewer !== null && seesTicketAdmin(viewer),
      phone: 'labelled',
      cell: ({ admin_username: admin }) => (admin ? <UserText>{admin}</UserText> : null),
    },
    {
      id: 'status',
      header: m.ticket_column_status(),
      ordering: 'status',
      phone: 'corner',
      cell: (ticket) => <TicketBadge ticket={ticket} />,
    },
  ]
  return columns
}

interface TitleCellProps {
  ticket: Ticket
  isChosen: boolean
  onChoose: (id: number) => void
}

/** An unread one stands out by its weight and a mark. The whole row can be pressed, not the words alone. */
function TitleCell({
  ticket: { id, title, is_unread: isUnread, created_at: createdAt },
  isChosen,
  onChoose,
}: TitleCellProps) {
  return (
    <div className="grid justify-items-start gap-0.5">
      <button
        type="button"
        data-ticket={id}
        aria-pressed={isChosen}
        onClick={() => onChoose(id)}
        className={`min-h-7 text-start after:absolute after:inset-0 hover:text-brand aria-pressed:text-brand ${isUnread ? 'font-bold' : 'font-[560]'}`}
      >
        <UserText lines={2}>{title}</UserText>
      </button>
      <span className="flex flex-wrap items-center gap-x-2 text-xs text-ink-2">
        {isUnread && <UnreadMark />}
        <span>
          {m.ticket_opened_at()} <DateTime at={createdAt} />
        </span>
      </span>
    </div>
  )
}
