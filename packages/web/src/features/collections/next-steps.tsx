import type { CollectionStatus } from '@proofdesk/contract/status'
import { ChevronRight, FolderPlus } from 'lucide-react'
import { Link } from 'react-router'
import { PATHS } from '../../lib/paths.ts'
import { m } from '../../paraglide/messages.js'
import { SectionSheet } from '../../ui/section-sheet.tsx'
import { Skeleton } from '../../ui/spinner.tsx'
import { TONES } from '../../ui/tone.ts'
import { useCollectionCounts } from './api.ts'
import { faceOf } from './status-face.ts'

/** What an owner can do next, the most urgent first, each with the way there. */
export function NextSteps() {
  const { data: counts, error } = useCollectionCounts(true)
  // The tiles of the list say so too; here nothing is better than half.
  if (error && !counts) return null
  const steps = listSteps().filter(({ status }) => counts && counts[status] > 0)
  return (
    <SectionSheet title={m.dashboard_next()}>
      {!counts && <Skeleton className="w-3/4" />}
      {counts && (
        <ul className="-my-2 divide-y divide-line">
          {steps.map(({ status, words }) => (
            <Step key={status} to={`${PATHS.collection}?status=${status}`} face={faceOf(status)} words={words}>
              {counts[status]}
            </Step>
          ))}
          {counts.all === 0 && (
            <Step to={PATHS.collection} face={{ icon: FolderPlus, tone: 'brand' }} words={m.dashboard_next_first()} />
          )}
          {counts.all > 0 && steps.length === 0 && <li className="py-2 text-ink-2">{m.dashboard_next_nothing()}</li>}
        </ul>
      )}
    </SectionSheet>
  )
}

function listSteps(): { status: CollectionStatus; words: string }[] {
  return [
    { status: 'answered', words: m.dashboard_next_answered() },
    { status: 'opened', words: m.dashboard_next_opened() },
    { status: 'in_progress', words: m.dashboard_next_in_progress() },
  ]
}

interface StepProps {
  to: string
  face: Pick<ReturnType<typeof faceOf>, 'icon' | 'tone'>
  words: string
  /** How many there are. */
  children?: number
}

function Step({ to, face: { icon: Icon, tone }, words, children }: StepProps) {
  return (
    <li>
      <Link to={to} className="flex items-center gap-3 py-2.5 text-ink no-underline hover:text-brand">
        <span aria-hidden className={`flex size-7.5 shrink-0 items-center justify-center rounded-md ${TONES[tone]}`}>
          <Icon size={16} strokeWidth={1.9} />
        </span>
        <span className="min-w-0 grow">{words}</span>
        {children !== undefined && <span className="font-mono tabular-nums">{children}</span>}
        <ChevronRight aria-hidden size={16} className="shrink-0 rtl:rotate-180" />
      </Link>
    </li>
  )
}
