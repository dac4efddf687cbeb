import { undoEmailChange } from '@proofdesk/contract/account'
import { useParams } from 'react-router'
import { MailedLink } from '../../features/account/mailed-link.tsx'
import { call } from '../../lib/call.ts'
import { PATHS } from '../../lib/paths.ts'
import { m } from '../../paraglide/messages.js'
import { ButtonLink } from '../../ui/button.tsx'
import { OnceKnown } from '../once-known.tsx'

/** What the link of the mail about a changed address opens. */
export default function UndoEmailPage() {
  const { token = '' } = useParams()
  return (
    <OnceKnown>
      <MailedLink
        key={token}
        title={m.undo_email_title()}
        lead={m.undo_email_text()}
        action={m.undo_email_submit()}
        send={() => call(undoEmailChange, { body: { token } })}
        failed={m.undo_email_failed()}
        doneTitle={m.email_change_undone()}
        sayDone={(username) => m.undo_email_done_text({ username })}
        next={
          <ButtonLink to={PATHS.login} kind="brand" className="min-h-10.5 w-full">
            {m.verify_email_to_login()}
          </ButtonLink>
        }
      />
    </OnceKnown>
  )
}
