import { useParams } from 'react-router'
import { OpenTickets } from '../../features/tickets/open-tickets.tsx'
import { useSession } from '../../lib/session.ts'
import { LoadingArea } from '../../ui/spinner.tsx'

export default function TicketLinkPage() {
  const { token = '' } = useParams()
  // Who is signed in is told so before the link is used up.
  if (useSession().phase === 'checking') return <LoadingArea />
  return <OpenTickets key={token} token={token} />
}
