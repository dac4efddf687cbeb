import type { Session } from '@proofdesk/contract/sessions'
import { wordsOf } from '../../lib/error-words.ts'
import { m } from '../../paraglide/messages.js'
import { askConfirm, showNotice } from '../../ui/ask.ts'
import { ErrorBanner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { KeptFocus } from '../../ui/kept-focus.tsx'
import { RetryButton } from '../../ui/retry-button.tsx'
import { SectionSheet } from '../../ui/section-sheet.tsx'
import { LoadingArea } from '../../ui/spinner.tsx'
import { useEndOtherSessions, useEndSession, useSessions } from './api.ts'
import { describeSession, SessionRows } from './session-rows.tsx'

/** One's own sessions, and the ways to end those one is not at. */
export function SessionsSection() {
  const { data, error, refetch, isFetching } = useSessions()
  return (
    <SectionSheet title={m.sessions_title()} lead={m.sessions_lead()}>
      {data && <Sessions sessions={data.results} />}
      {!data && !error && <LoadingArea />}
      {!data && error && (
        <div className="grid justify-items-start gap-4">
          <ErrorBanner>{wordsOf(error, m.sessions_failed())}</ErrorBanner>
          <RetryButton busy={isFetching} onClick={() => void refetch()} />
        </div>
      )}
    </SectionSheet>
  )
}

function Sessions({ sessions }: { sessions: Session[] }) {
  const { mutate: endOthers, isPending } = useEndOtherSessions()
  const hasOthers = sessions.some((session) => !session.is_current)

  async function askEndOthers() {
    const text = m.sessions_end_others_text()
    if (!(await askConfirm({ title: m.are_you_sure(), text, action: m.sessions_end_others(), danger: true }))) return
    endOthers(undefined, { onError: tellFailure })
  }

  return (
    <KeptFocus rows={sessions} className="grid gap-5">
      <SessionRows
        sessions={sessions}
        renderEnd={(session) => !session.is_current && <EndButton session={session} />}
      />
      {hasOthers && (
        <Button kind="danger" busy={isPending} className="justify-self-start" onClick={() => void askEndOthers()}>
          {m.sessions_end_others()}
        </Button>
      )}
    </KeptFocus>
  )
}

function EndButton({ session }: { session: Session }) {
  const { mutate, isPending } = useEndSession()
  const name = describeSession(session)
  return (
    <Button
      busy={isPending}
      aria-label={m.sessions_end_of({ device: name })}
      onClick={() => mutate(session.id, { onError: tellFailure })}
    >
      {m.sessions_end()}
    </Button>
  )
}

function tellFailure(error: Error): void {
  void showNotice({ title: m.sessions_end_failed(), text: wordsOf(error, m.profile_try_again()) })
}
