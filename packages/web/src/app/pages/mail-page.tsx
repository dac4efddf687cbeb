import { canSeeMail } from '@proofdesk/contract/permissions'
import { MailScreen } from '../../features/mail-delivery/mail-screen.tsx'
import { useUser } from '../../lib/session.ts'
import { m } from '../../paraglide/messages.js'
import { PageHeading } from '../../ui/page-heading.tsx'
import { NotAllowed } from '../not-allowed.tsx'

export default function MailPage() {
  if (!canSeeMail(useUser())) return <NotAllowed />
  return (
    <>
      <PageHeading title={m.mail_title()} lead={m.mail_lead()} />
      <div className="mt-6">
        <MailScreen />
      </div>
    </>
  )
}
