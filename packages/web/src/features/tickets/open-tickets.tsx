import { openTicketSession } from '@proofdesk/contract/tickets'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { ApiError } from '../../lib/api-error.ts'
import { wordsOf } from '../../lib/error-words.ts'
import { call } from '../../lib/call.ts'
import { PATHS } from '../../lib/paths.ts'
import { useSession } from '../../lib/session.ts'
import { useBusy } from '../../lib/use-busy.ts'
import { m } from '../../paraglide/messages.js'
import { ErrorBanner } from '../../ui/banner.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { FormSheet } from '../../ui/form-sheet.tsx'
import { keepVisitorEmail } from './visitor-email.ts'

/** `isFinal`: the link is used up or too old; else nothing was decided and it may be tried again. */
interface Problem {
  words: string
  isFinal: boolean
}

/**
 * What a mailed link to a visitor's tickets opens. The token is used up when the person asks for it, never by itself:
 * programs that scan mails open links too.
 */
export function OpenTickets({ token }: { token: string }) {
  const navigate = useNavigate()
  const isSignedIn = useSession().phase === 'signed-in'
  const [problem, setProblem] = useState<Problem>()
  const [busy, run] = useBusy()

  async function openSession() {
    setProblem(undefined)
    try {
      const { email } = await call(openTicketSession, { body: { token } })
      keepVisitorEmail(email)
      await navigate(PATHS.tickets, { replace: true })
    } catch (error) {
      const isFinal = error instanceof ApiError && error.status === 400
      setProblem({ words: wordsOf(error, m.ticket_open_failed()), isFinal })
    }
  }

  if (isSignedIn)
    return (
      <FormSheet title={m.ticket_open_title()} lead={m.ticket_open_signed_in()}>
        <OwnTicketsLink />
      </FormSheet>
    )
  if (problem?.isFinal)
    return (
      <FormSheet key="refused" title={m.ticket_open_refused_title()} lead={m.ticket_open_refused_text()}>
        <div className="grid gap-5">
          <ErrorBanner>{problem.words}</ErrorBanner>
          <OwnTicketsLink />
        </div>
      </FormSheet>
    )
  return (
    <FormSheet title={m.ticket_open_title()} lead={m.ticket_open_text()}>
      <div className="grid gap-5">
        {problem && <ErrorBanner>{problem.words}</ErrorBanner>}
        <Button kind="brand" busy={busy} onClick={() => void run(openSession)} className="min-h-10.5">
          {busy ? m.ticket_open_busy() : m.ticket_open_submit()}
        </Button>
      </div>
    </FormSheet>
  )
}

function OwnTicketsLink() {
  return (
    <ButtonLink to={PATHS.tickets} kind="brand" className="min-h-10.5 w-full">
      {m.ticket_open_to_own()}
    </ButtonLink>
  )
}
