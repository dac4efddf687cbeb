import { IdParams } from '@proofdesk/contract/fields'
import { whyNotSeePerson } from '@proofdesk/contract/permissions'
import { ArrowLeft } from 'lucide-react'
import { useParams } from 'react-router'
import { SessionRows } from '../../features/sessions/session-rows.tsx'
import { usePerson } from '../../features/directory/api.ts'
import { PersonFacts } from '../../features/directory/person-facts.tsx'
import { PersonRights } from '../../features/directory/person-rights.tsx'
import { PersonSessions } from '../../features/directory/person-sessions.tsx'
import { ApiError } from '../../lib/api-error.ts'
import { wordsOf } from '../../lib/error-words.ts'
import { PATHS } from '../../lib/paths.ts'
import { useUser } from '../../lib/session.ts'
import { m } from '../../paraglide/messages.js'
import { ErrorBanner } from '../../ui/banner.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { RetryButton } from '../../ui/retry-button.tsx'
import { LoadingArea } from '../../ui/spinner.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { NotAllowed } from '../not-allowed.tsx'
import MissingPage from './missing-page.tsx'

export default function PersonPage() {
  const params = IdParams.safeParse(useParams())
  if (whyNotSeePerson(useUser())) return <NotAllowed />
  return params.success ? <OnePerson id={params.data.id} /> : <MissingPage />
}

function OnePerson({ id }: { id: number }) {
  const { data: person, error, refetch } = usePerson(id)
  if (error instanceof ApiError && error.status === 404) return <MissingPage />
  if (!person && !error) return <LoadingArea />
  if (!person)
    return (
      <div className="grid justify-items-start gap-4">
        <PageHeading title={m.users_title()} />
        <ErrorBanner>{wordsOf(error, m.users_failed())}</ErrorBanner>
        <RetryButton onClick={() => void refetch()} />
      </div>
    )
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <PageHeading title={m.person_title({ username: person.username })} className="min-w-0 grow basis-80">
          <UserText>{person.username}</UserText>
        </PageHeading>
        <ButtonLink to={PATHS.users}>
          <ArrowLeft aria-hidden size={16} className="rtl:-scale-x-100" />
          {m.person_back()}
        </ButtonLink>
      </div>
      <div className="mt-6 grid items-start gap-5 lg:grid-cols-2">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
          <PersonFacts person={person} />
          <PersonSessions person={person}>
            <SessionRows sessions={person.sessions} />
          </PersonSessions>
        </div>
        <PersonRights person={person} />
      </div>
    </>
  )
}
