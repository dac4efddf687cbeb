import { confirmJoin } from '@proofdesk/contract/provider-login'
import { useParams } from 'react-router'
import { MailedLink } from '../../features/account/mailed-link.tsx'
import { call } from '../../lib/call.ts'
import { PATHS } from '../../lib/paths.ts'
import { m } from '../../paraglide/messages.js'
import { ButtonLink } from '../../ui/button.tsx'
import { OnceKnown } from '../once-known.tsx'

/** What the mailed link opens with which somebody from a provider shows that an account is theirs. */
export default function JoinProviderPage() {
  const { token = '' } = useParams()
  return (
    <OnceKnown>
      <MailedLink
        key={token}
        title={m.join_provider_title()}
        lead={m.join_provider_text()}
        action={m.mail_provider_join_action()}
        send={() => call(confirmJoin, { body: { token } })}
        failed={m.join_provider_failed()}
        doneTitle={m.join_provider_done_title()}
        sayDone={(username) => m.join_provider_done_text({ username })}
        next={
          <ButtonLink to={PATHS.login} kind="brand" className="min-h-10.5 w-full">
            {m.verify_email_to_login()}
          </ButtonLink>
        }
      />
    </OnceKnown>
  )
}
