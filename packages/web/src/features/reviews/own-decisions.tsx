import { PAGE_SIZE } from '@proofdesk/contract/limits'
import { totalPages } from '@proofdesk/contract/paging'
import { listOwnDecisions, type OwnDecision } from '@proofdesk/contract/reviews'
import { useCallback, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { wordsOf } from '../../lib/error-words.ts'
import { contentPath } from '../../lib/paths.ts'
import { useReturnFromPastTheEnd } from '../../lib/use-list-address.ts'
import { m } from '../../paraglide/messages.js'
import { Badge } from '../../ui/badge.tsx'
import { ErrorBanner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { goOnAtHeading } from '../../ui/go-on-at-heading.ts'
import { OUTCOME_LOOKS } from '../../ui/outcome-looks.ts'
import { Pager } from '../../ui/pager.tsx'
import { RetryButton } from '../../ui/retry-button.tsx'
import { SectionSheet } from '../../ui/section-sheet.tsx'
import { Skeleton } from '../../ui/spinner.tsx'
import { DateTime } from '../../ui/time.tsx'
import { TitledRow } from '../../ui/titled-row.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { useOwnDecisions } from './api.ts'

/** As many as of the other lists beside it. */
const SHOWN = 5

const SAY: Record<OwnDecision['outcome'], () => string> = {
  approved: m.own_decision_approved,
  rejected: m.own_decision_rejected,
  withdrawn: m.own_decision_withdrawn,
}

/** What a reviewer has decided: the way back to a mistake, or to what somebody asks about. */
export default function OwnDecisions() {
  const [page, setPage] = useShownPage()
  const hasAll = page !== undefined
  const { data, error, refetch } = useOwnDecisions(page ?? 1)
  // Also a page that does not come has others beside it.
  const [count, setCount] = useState(0)
  if (data && data.count !== count) setCount(data.count)
  const isPastTheEnd = useReturnFromPastTheEnd(error, page ?? 1, setPage)
  // Who has decided nothing yet has no use for a list of it.
  if (data?.count === 0) return null
  const hasFailed = error && !data && !isPastTheEnd
  return (
    <SectionSheet title={m.own_decisions_title()}>
      {hasFailed && (
        <div className="grid justify-items-start gap-3">
          <ErrorBanner>{wordsOf(error, m.own_decisions_failed())}</ErrorBanner>
          <RetryButton onClick={() => void refetch()} />
        </div>
      )}
      {!data && !hasFailed && <Skeleton className="w-3/4" />}
      {data && (
        <ul className="-my-2 divide-y divide-line">
          {data.results.slice(0, hasAll ? PAGE_SIZE : SHOWN).map((decision) => (
            <DecisionRow key={`${decision.collection} ${decision.submission}`} decision={decision} />
          ))}
        </ul>
      )}
      {data && !hasAll && data.count > SHOWN && (
        <div className="mt-4">
          <Button ref={goOnAtHeading} onClick={() => setPage({ page: 1 })}>
            {m.own_decisions_all()}
          </Button>
        </div>
      )}
      {hasAll && count > PAGE_SIZE && (
        <div className="mt-4">
          <Pager page={page} pages={totalPages(count, PAGE_SIZE)} onPage={(other) => setPage({ page: other })} />
        </div>
      )}
    </SectionSheet>
  )
}

const IN_ADDRESS = 'decisions'

/**
 * Which page of all of them is shown; undefined while only the newest are. It stands in the address, so that going back finds
 * it again, and leaves to the rest of the screen what the history says of it.
 */
function useShownPage() {
  const [address, setAddress] = useSearchParams()
  const { state } = useLocation()
  const given = address.get(IN_ADDRESS)
  const page = given === null ? undefined : (listOwnDecisions.query.shape.page.safeParse(given).data ?? 1)
  const setPage = useCallback(
    (change: { page: number }, replace = false) =>
      setAddress({ [IN_ADDRESS]: String(change.page) }, { replace, state: state as unknown, preventScrollReset: true }),
    [setAddress, state],
  )
  return [page, setPage] as const
}

function DecisionRow({
  decision: { collection, title, username, outcome, decided_at: at },
}: {
  decision: OwnDecision
}) {
  return (
    <TitledRow
      to={contentPath(collection)}
      title={title}
      facts={
        <>
          <UserText>{username}</UserText> · <DateTime at={at} />
        </>
      }
      badge={<Badge {...OUTCOME_LOOKS[outcome]}>{SAY[outcome]()}</Badge>}
    />
  )
}
