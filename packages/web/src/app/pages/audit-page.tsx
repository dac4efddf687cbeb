import { whyNotSeeAudit } from '@proofdesk/contract/permissions'
import { AuditList } from '../../features/audit/audit-list.tsx'
import { AUDIT_ADDRESS } from '../../features/audit/list-state.ts'
import { useUser } from '../../lib/session.ts'
import { useListAddress } from '../../lib/use-list-address.ts'
import { m } from '../../paraglide/messages.js'
import { PageHeading } from '../../ui/page-heading.tsx'
import { NotAllowed } from '../not-allowed.tsx'

export default function AuditPage() {
  const { state, change } = useListAddress(AUDIT_ADDRESS)
  if (whyNotSeeAudit(useUser())) return <NotAllowed />
  return (
    <>
      <PageHeading title={m.audit_title()} lead={m.audit_lead()} />
      <div className="mt-6">
        <AuditList state={state} onChange={change} />
      </div>
    </>
  )
}
