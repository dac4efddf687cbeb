import { PAGE_SIZE } from '@proofdesk/contract/limits'
import { totalPages } from '@proofdesk/contract/paging'
import type { OwnDecision } from '@proofdesk/contract/reviews'
import { BadgeCheck, MessageSquareWarning, Undo2, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { wordsOf } from '../../lib/error-words.ts'
import { contentPath } from '../../lib/paths.ts'
import { m } from '../../paraglide/messages.js'
import { Badge } from '../../ui/badge.tsx'
import { ErrorBanner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { goOnAtHeading } from '../../ui/go-on-at-heading.ts'
import { Pager } from '../../ui/pager.tsx'
import { SectionSheet } from '../../ui/section-sheet.tsx'
import { Skeleton } from '../../ui/spinner.tsx'
import { DateTime } from '../../ui/time.tsx'
import type { Tone } from '../../ui/tone.ts'
import { UserText } from '../../ui/user-text.tsx'
import { useOwnDecisions } from './api.ts'

/** As many as of the other lists beside it. */
const SHOWN = 5

const FACES: Record<OwnDecision['outcome'], { icon: LucideIcon; tone: Tone; say: () => string }> = {
  approved: { icon: BadgeCheck, tone: 'ok', say: m.own_decision_approved },
  rejected: { icon: MessageSquareWarning, tone: 'seal', say: m.own_decision_rejected },
  withdrawn: { icon: Undo2, tone: 'seal', say: m.own_decision_withdrawn },
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

function DecisionRow({ decision }: { decision: OwnDecision }) {
  const { icon, tone, say } = FACES[decision.outcome]
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 py-2.5">
      <span className="grid min-w-0 grow basis-40">
        <Link
          to={contentPath(decision.collection)}
          className="line-clamp-2 min-w-0 font-[560] text-ink no-underline hover:text-brand"
        >
          <UserText>{decision.title}</UserText>
        </Link>
        <span className="text-xs text-ink-2">
          <UserText>{decision.username}</UserText> · <DateTime at={decision.decided_at} />
        </span>
      </span>
      <Badge tone={tone} icon={icon}>
        {say()}
      </Badge>
    </li>
  )
}
