import { m } from '../../paraglide/messages.js'
import { ErrorBanner } from '../../ui/banner.tsx'
import { useMailState } from './api.ts'
import { FailingMails } from './failing-mails.tsx'
import { MailRecords } from './mail-records.tsx'
import { OutgoingMail } from './outgoing-mail.tsx'

/** How mail goes out, and what does not. Looks again by itself while it is open. */
export function MailScreen() {
  const { data, error, refetch } = useMailState()
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      {error && <ErrorBanner>{m.mail_failed()}</ErrorBanner>}
      <OutgoingMail state={data} />
      <MailRecords />
      <FailingMails state={data} hasFailed={error !== null} onReload={() => void refetch()} />
    </div>
  )
}
