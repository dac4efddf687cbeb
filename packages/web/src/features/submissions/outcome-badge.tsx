import type { Submission, SubmissionOutcome } from '@proofdesk/contract/submissions'
import { m } from '../../paraglide/messages.js'
import { Badge } from '../../ui/badge.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { OUTCOME_LOOKS } from '../../ui/outcome-looks.ts'

const SAY: Record<SubmissionOutcome, (reviewer: string) => string> = {
  waiting: () => m.submission_waiting(),
  approved: (name) => m.submission_approved({ name }),
  rejected: (name) => m.submission_rejected({ name }),
  withdrawn: (name) => m.submission_withdrawn({ name }),
  replaced: (name) => m.submission_replaced({ name }),
}

/** What became of a round, and by whom. */
export function OutcomeBadge({ submission: { outcome, reviewer } }: { submission: Submission }) {
  return (
    <Badge {...OUTCOME_LOOKS[outcome]}>
      <Sentence say={SAY[outcome]} text={reviewer ?? ''} />
    </Badge>
  )
}
