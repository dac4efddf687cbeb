import { PAGE_SIZE } from '@proofdesk/contract/limits'
import { totalPages } from '@proofdesk/contract/paging'
import type { OwnDecision } from '@proofdesk/contract/reviews'
import { useState } from 'react'
import { wordsOf } from '../../lib/error-words.ts'
import { contentPath } from '../../lib/paths.ts'
import { m } from '../../paraglide/messages.js'
import { Badge } from '../../ui/badge.tsx'
import { ErrorBanner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { goOnAtHeading } from '../../ui/go-on-at-heading.ts'
import { OUTCOME_LOOKS } from '../../ui/outcome-looks.ts'
import { Pager } from '../../ui/pager.tsx'
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
  const [page, setPage] = useState(1)
  const [hasAll, setHasAll] = useState(false)
  const { data, error } = useOwnDecisions(page)
  // Who has decided nothing yet has no use for a list of it.
  if (data?.count === 0) return null
  return (
    <SectionSheet title={m.own_decisions_title()}>
      {error && !data && <ErrorBanner>{wordsOf(error, m.own_decisions_failed())}</ErrorBanner>}
      {!data && !error && <Skeleton className="w-3/4" />}
      {data && (
        <ul className="-my-2 divide-y divide-line">
          {data.results.slice(0, hasAll ? PAGE_SIZE : SHOWN).map((decision) => (
            <DecisionRow key={`${decision.collection} ${decision.submission}`} decision={decision} />
          ))}
        </ul>
      )}
      {data && !hasAll && data.count > SHOWN && (
        <div className="mt-4">
          <Button ref={goOnAtHeading} onClick={() => setHasAll(true)}>
            {m.own_decisions_all()}
          </Button>
        </div>
      )}
      {data && hasAll && data.count > PAGE_SIZE && (
        <div className="mt-4">
          <Pager page={page} pages={totalPages(data.count, PAGE_SIZE)} onPage={setPage} />
        </div>
      )}
    </SectionSheet>
  )
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
