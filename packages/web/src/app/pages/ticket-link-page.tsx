import { useParams } from 'react-router'
import { OpenTickets } from '../../features/tickets/open-tickets.tsx'
import { OnceKnown } from '../once-known.tsx'

export default function TicketLinkPage() {
  const { token = '' } = useParams()
  return (
    <OnceKnown>
      <OpenTickets key={token} token={token} />
    </OnceKnown>
  )
}
