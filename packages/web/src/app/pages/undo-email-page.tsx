import { undoEmailChange } from '@proofdesk/contract/account'
import { useParams } from 'react-router'
import { MailedLink } from '../../features/account/mailed-link.tsx'
import { call } from '../../lib/call.ts'
import { keepDoneLink, useDoneLink } from '../../lib/done-link.ts'
import { PATHS } from '../../lib/paths.ts'
import { endSession, readSession } from '../../lib/session.ts'
import { m } from '../../paraglide/messages.js'
import { ButtonLink } from '../../ui/button.tsx'
import { OnceKnown } from '../once-known.tsx'

async function undo(token: string) {
  const done = await call(undoEmailChange, { body: { token } })
  keepDoneLink({ token, username: done.username })
  // The server has just ended every session of theirs.
  const session = readSession()
  if (session.phase === 'signed-in' && session.user.username === done.username) endSession()
  return done
}

/** What the link of the mail about a changed address opens. */
export default function UndoEmailPage() {
  const { token = '' } = useParams()
  const done = useDoneLink(token)
  return (
    <OnceKnown>
      <MailedLink
        key={token}
        title={m.undo_email_title()}
        lead={m.undo_email_text()}
        action={m.undo_email_submit()}
        send={() => undo(token)}
        done={done}
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
