import type { UserInfo } from '@proofdesk/contract/users'
import { QueryClientProvider } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Asker } from '../../features/tickets/asker.ts'
import { TicketScreen } from '../../features/tickets/ticket-screen.tsx'
import { VisitorTickets } from '../../features/tickets/visitor-tickets.tsx'
import { queryClient } from '../../lib/query-client.ts'
import { useSession } from '../../lib/session.ts'
import { LoadingArea } from '../../ui/spinner.tsx'
import { Toasts } from '../../ui/toasts.tsx'
import { ServerSilent } from '../server-silent.tsx'

/** Outside the guard: people see their account's tickets, visitors those of their browser. */
export default function TicketsPage() {
  const session = useSession()
  switch (session.phase) {
    case 'checking':
      return <LoadingArea />
    case 'unreachable':
      return <ServerSilent />
    case 'signed-in':
      return <PersonTickets user={session.user} />
    case 'signed-out':
      return (
        // What the frame of signed-in people brings along.
        <QueryClientProvider client={queryClient}>
          <VisitorTickets />
          <Toasts />
        </QueryClientProvider>
      )
  }
}

function PersonTickets({ user }: { user: UserInfo }) {
  const asker = useMemo<Asker>(() => ({ viewer: user, email: null }), [user])
  return <TicketScreen asker={asker} onChangeEmail={() => {}} />
}
