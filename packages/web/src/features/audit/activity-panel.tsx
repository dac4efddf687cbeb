import type { ActivityKind, ActivityStep } from '@proofdesk/contract/activity'
import {
  Ban,
  CalendarClock,
  Eye,
  FileX,
  FolderPlus,
  RotateCcw,
  Send,
  ShieldCheck,
  Undo2,
  type LucideIcon,
} from 'lucide-react'
import { sayReason } from '../../lib/revocation-words.ts'
import { m } from '../../paraglide/messages.js'
import { ErrorBanner } from '../../ui/banner.tsx'
import { RetryButton } from '../../ui/retry-button.tsx'
import { SectionSheet } from '../../ui/section-sheet.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { Skeleton } from '../../ui/spinner.tsx'
import { DateTime } from '../../ui/time.tsx'
import { TONES, type Tone } from '../../ui/tone.ts'
import { UserText } from '../../ui/user-text.tsx'
import { useActivity } from './activity-api.ts'

interface Face {
  icon: LucideIcon
  tone: Tone
  say: (name: string) => string
  /** Where what follows is told elsewhere. */
  sayAlone?: (name: string) => string
}

const FACES: Record<ActivityKind, Face> = {
  created: { icon: FolderPlus, tone: 'muted', say: (name) => m.activity_created({ name }) },
  sent: { icon: Send, tone: 'brand', say: (name) => m.activity_sent({ name }) },
  sent_again: { icon: Send, tone: 'brand', say: (name) => m.activity_sent_again({ name }) },
  opened: { icon: Eye, tone: 'muted', say: (name) => m.activity_opened({ name }) },
  file_removed: { icon: FileX, tone: 'warn', say: (name) => m.activity_file_removed({ name }) },
  rejected: {
    icon: Undo2,
    tone: 'warn',
    say: (name) => m.activity_rejected({ name }),
    sayAlone: (name) => m.submission_rejected({ name }),
  },
  approved: { icon: ShieldCheck, tone: 'ok', say: (name) => m.activity_approved({ name }) },
  withdrawn: {
    icon: Undo2,
    tone: 'seal',
    say: (name) => m.activity_withdrawn({ name }),
    sayAlone: (name) => m.submission_withdrawn({ name }),
  },
  revoked: { icon: Ban, tone: 'seal', say: (name) => m.activity_revoked({ name }) },
  reinstated: { icon: RotateCcw, tone: 'ok', say: (name) => m.activity_reinstated({ name }) },
  expiry_changed: { icon: CalendarClock, tone: 'brand', say: (name) => m.activity_expiry_changed({ name }) },
}

interface ActivityPanelProps {
  collectionId: number
  /** Of what reviewers wrote, what stands elsewhere on the screen; undefined until that is known, and so long nothing is shown. */
  told: (string | null)[] | undefined
}

/** What has become of a collection, from its beginning on. */
export function ActivityPanel({ collectionId, told }: ActivityPanelProps) {
  const { data, error, refetch } = useActivity(collectionId)
  const steps = told && data
  return (
    <SectionSheet title={m.activity_title()}>
      {!steps && (data || !error) && <Skeleton className="w-1/2" />}
      {!data && error && (
        <div className="grid justify-items-start gap-3">
          <ErrorBanner>{m.activity_failed()}</ErrorBanner>
          <RetryButton onClick={() => void refetch()} />
        </div>
      )}
      {steps && (
        <ol className="grid gap-4">
          {steps.map((step, index) => (
            <Step key={`${index} ${step.kind}`} step={told?.includes(step.text) ? { ...step, text: null } : step} />
          ))}
        </ol>
      )}
    </SectionSheet>
  )
}

function Step({ step }: { step: ActivityStep }) {
  const { kind, at, by, text, file } = step
  const { icon: Icon, tone, say, sayAlone = say } = FACES[kind]
  return (
    <li className="flex gap-3">
      <span className={`mt-0.5 grid size-7 shrink-0 place-items-center rounded-full ${TONES[tone]}`}>
        <Icon aria-hidden className="size-4" />
      </span>
      <div className="min-w-0 grow">
        <p>
          {by === null ? m.activity_opened_by_reviewer() : <Sentence say={text === null ? sayAlone : say} text={by} />}
        </p>
        {file && (
          <p className="wrap-anywhere text-ink-2">
            <UserText>{m.activity_file({ title: file.title, file: file.file_name })}</UserText>
          </p>
        )}
        <ProofFact step={step} />
        {text !== null && (
          <p className="mt-1 border-s-2 border-line-strong ps-3 whitespace-pre-line text-ink-2">
            <UserText>{text}</UserText>
          </p>
        )}
        <p className="mt-0.5 text-sm text-ink-2">{at === null ? m.activity_time_unknown() : <DateTime at={at} />}</p>
      </div>
    </li>
  )
}

/** What everybody who verifies the proof reads of the change. */
function ProofFact({ step: { kind, reason, expire_time: expireTime } }: { step: ActivityStep }) {
  if (reason !== null) return <p className="text-ink-2">{sayReason(reason)}</p>
  if (kind !== 'expiry_changed') return null
  return (
    <p className="text-ink-2">
      {expireTime === null ? m.server_contents_valid_forever() : m.server_contents_valid_until()}{' '}
      {expireTime !== null && <DateTime at={expireTime} />}
    </p>
  )
}
