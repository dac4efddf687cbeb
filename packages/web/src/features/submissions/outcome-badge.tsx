import type { Submission, SubmissionOutcome } from '@proofdesk/contract/submissions'
import { BadgeCheck, Hourglass, MessageSquareWarning, Replace, Undo2, type LucideIcon } from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import { Badge } from '../../ui/badge.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import type { Tone } from '../../ui/tone.ts'

interface Face {
  icon: LucideIcon
  tone: Tone
  say: (reviewer: string) => string
}

const FACES: Record<SubmissionOutcome, Face> = {
  waiting: { icon: Hourglass, tone: 'warn', say: () => m.submission_waiting() },
  approved: { icon: BadgeCheck, tone: 'ok', say: (name) => m.submission_approved({ name }) },
  rejected: { icon: MessageSquareWarning, tone: 'seal', say: (name) => m.submission_rejected({ name }) },
  withdrawn: { icon: Undo2, tone: 'seal', say: (name) => m.submission_withdrawn({ name }) },
  replaced: { icon: Replace, tone: 'muted', say: (name) => m.submission_replaced({ name }) },
}

/** What became of a round, and by whom. */
export function OutcomeBadge({ submission: { outcome, reviewer } }: { submission: Submission }) {
  const { icon, tone, say } = FACES[outcome]
  return (
    <Badge tone={tone} icon={icon}>
      <Sentence say={say} text={reviewer ?? ''} />
    </Badge>
  )
}
