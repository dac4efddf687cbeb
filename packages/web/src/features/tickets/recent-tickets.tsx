import { MessagesSquare } from 'lucide-react'
import { Link } from 'react-router'
import { wordsOf } from '../../lib/error-words.ts'
import { PATHS } from '../../lib/paths.ts'
import { useUser } from '../../lib/session.ts'
import { m } from '../../paraglide/messages.js'
import { ErrorBanner } from '../../ui/banner.tsx'
import { SectionSheet } from '../../ui/section-sheet.tsx'
import { Skeleton } from '../../ui/spinner.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { DateTime } from '../../ui/time.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { useOpenTickets } from './api.ts'
import { TicketBadge, UnreadMark } from './ticket-face.tsx'

const SHOWN = 4

/** The newest tickets that are not closed, for the dashboard: one's own, or everyone's for those who answer. */
export function RecentTickets() {
  const { data, error } = useOpenTickets({ viewer: useUser(), email: null })
  return (
    <SectionSheet
      title={m.tickets_open_heading()}
      mark={<TextLink to={PATHS.tickets}>{m.tickets_open_all()}</TextLink>}
    >
      {error && !data && <ErrorBanner>{wordsOf(error, m.tickets_failed())}</ErrorBanner>}
      {!data && !error && <Skeleton className="w-3/4" />}
      {data?.results.length === 0 && (
        <p className="flex items-center gap-2 text-ink-2">
          <MessagesSquare aria-hidden size={17} strokeWidth={1.8} className="shrink-0" />
          {m.tickets_open_empty()}
        </p>
      )}
      {data && data.results.length > 0 && (
        <ul className="-my-2 divide-y divide-line">
          {data.results.slice(0, SHOWN).map((ticket) => (
            <li key={ticket.id} className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 py-2.5">
              <span className="grid min-w-0">
                <Link
                  to={PATHS.tickets}
                  state={{ ticket: ticket.id }}
                  className={`min-w-0 text-ink no-underline hover:text-brand ${ticket.is_unread ? 'font-bold' : 'font-[560]'}`}
                >
                  <UserText>{ticket.title}</UserText>
                </Link>
                <span className="flex flex-wrap items-center gap-x-2 text-xs text-ink-2">
                  {ticket.is_unread && <UnreadMark />}
                  <DateTime at={ticket.created_at} />
                </span>
              </span>
              <TicketBadge ticket={ticket} />
            </li>
          ))}
        </ul>
      )}
    </SectionSheet>
  )
}
