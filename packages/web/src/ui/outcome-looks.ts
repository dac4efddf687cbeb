import type { SubmissionOutcome } from '@proofdesk/contract/submissions'
import { BadgeCheck, Hourglass, MessageSquareWarning, Replace, Undo2, type LucideIcon } from 'lucide-react'
import type { Tone } from './tone.ts'

/** How badges show what became of a round. */
export const OUTCOME_LOOKS: Record<SubmissionOutcome, { icon: LucideIcon; tone: Tone }> = {
  waiting: { icon: Hourglass, tone: 'warn' },
  approved: { icon: BadgeCheck, tone: 'ok' },
  rejected: { icon: MessageSquareWarning, tone: 'seal' },
  withdrawn: { icon: Undo2, tone: 'seal' },
  replaced: { icon: Replace, tone: 'muted' },
}
