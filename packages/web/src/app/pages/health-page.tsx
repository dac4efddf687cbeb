import { canSeeHealth } from '@proofdesk/contract/permissions'
import { HealthScreen } from '../../features/health/health-screen.tsx'
import { useUser } from '../../lib/session.ts'
import { m } from '../../paraglide/messages.js'
import { PageHeading } from '../../ui/page-heading.tsx'
import { NotAllowed } from '../not-allowed.tsx'

export default function HealthPage() {
  if (!canSeeHealth(useUser())) return <NotAllowed />
  return (
    <>
      <PageHeading title={m.health_title()} lead={m.health_lead()} />
      <div className="mt-6">
        <HealthScreen />
      </div>
    </>
  )
}
