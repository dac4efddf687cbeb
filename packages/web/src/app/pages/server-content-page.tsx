import { ServerContentTable } from '../../features/certificates/server-content-table.tsx'
import { m } from '../../paraglide/messages.js'
import { PageHeading } from '../../ui/page-heading.tsx'

export default function ServerContentPage() {
  return (
    <>
      <PageHeading title={m.server_contents_title()} lead={m.server_contents_lead()} />
      <div className="mt-6">
        <ServerContentTable />
      </div>
    </>
  )
}
