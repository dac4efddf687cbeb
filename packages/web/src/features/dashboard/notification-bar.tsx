import { FolderOpen, MessagesSquare, Server } from 'lucide-react'
import { PATHS } from '../../lib/paths.ts'
import { readCount } from '../../lib/read-count.ts'
import { m } from '../../paraglide/messages.js'
import { LinkTile } from '../../ui/tile.tsx'
import { useCollectionTotal, useServerContentTotal, useTicketTotal } from './api.ts'

/** How much there is, and the way to it. */
export function NotificationBar() {
  const collections = useCollectionTotal()
  const serverContents = useServerContentTotal()
  const tickets = useTicketTotal()
  return (
    <nav aria-label={m.dashboard_bar()} className="grid gap-2 min-[22rem]:grid-cols-3 sm:gap-3 lg:max-w-4xl">
      <LinkTile
        to={PATHS.collection}
        icon={FolderOpen}
        tone="brand"
        word={m.dashboard_collection()}
        count={readCount(collections)}
      />
      <LinkTile
        to={PATHS.serverContent}
        icon={Server}
        tone="ok"
        word={m.dashboard_server_content()}
        count={readCount(serverContents)}
      />
      <LinkTile
        to={PATHS.tickets}
        icon={MessagesSquare}
        tone="warn"
        word={m.dashboard_tickets()}
        count={readCount(tickets)}
      />
    </nav>
  )
}
