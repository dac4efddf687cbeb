import type { Submission } from '@proofdesk/contract/submissions'
import { History } from 'lucide-react'
import { wordsOf } from '../../lib/error-words.ts'
import { m } from '../../paraglide/messages.js'
import { Lines } from '../../ui/lines.tsx'
import { RetryButton } from '../../ui/retry-button.tsx'
import { Skeleton } from '../../ui/spinner.tsx'
import { DateTime } from '../../ui/time.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { useSubmissions } from './api.ts'
import { ChangeWords } from './change-words.tsx'
import { OutcomeBadge } from './outcome-badge.tsx'

export interface RoundBeforeProps {
  collectionId: number
  /** What its reviewer wrote. */
  decision: string
}

/** Of what waits again: why it was rejected, and what has changed since. Whoever decides reads both first. */
export default function RoundBefore({ collectionId, decision }: RoundBeforeProps) {
  const { data, error, refetch } = useSubmissions(collectionId, 1)
  const at = data?.results.findIndex(isDecided) ?? -1
  const before = data?.results[at]
  return (
    <section
      aria-labelledby="round-before"
      className="grid gap-x-8 gap-y-2 rounded-control border border-line-strong bg-sheet px-3.5 py-2.5 md:grid-cols-2"
    >
      <div className="min-w-0">
        <h2 id="round-before" className="flex items-center gap-2 font-semibold">
          <History aria-hidden size={17} className="shrink-0 text-ink-2" />
          {m.resent_title()}
        </h2>
        {before && (
          <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-ink-2">
            {m.resent_before({ number: before.number })}
            <OutcomeBadge submission={before} />
            {before.decided_at !== null && <DateTime at={before.decided_at} />}
          </p>
        )}
        <p className="mt-1 border-s-2 border-line-strong ps-3 whitespace-pre-line">
          <UserText>{decision}</UserText>
        </p>
      </div>
      {!data && !error && <Skeleton className="w-3/4" />}
      {!data && error && (
        <div className="grid content-start justify-items-start gap-2">
          <p role="alert" className="text-seal">
            <Lines text={wordsOf(error, m.resent_failed())} />
          </p>
          <RetryButton onClick={() => void refetch()} />
        </div>
      )}
      {/* Each file that is deleted while it waits makes a round of its own; and not every old round is kept. */}
      {data && !before && (
        <p className="text-ink-2">{data.count > data.results.length ? m.resent_far() : m.resent_unknown()}</p>
      )}
      {data && before && (
        <div className="min-w-0">
          <p className="font-semibold">{m.resent_changes()}</p>
          <Changes rounds={data.results.slice(0, at).toReversed()} />
        </div>
      )}
    </section>
  )
}

/** @param rounds Those since, the oldest first. */
function Changes({ rounds }: { rounds: readonly Submission[] }) {
  const changed = rounds.flatMap(({ number, changes }) => (changes && isChange(changes) ? [{ number, changes }] : []))
  if (changed.length === 0) return <p>{m.resent_unchanged()}</p>
  return changed.map(({ number, changes }) => <ChangeWords key={number} changes={changes} />)
}

function isChange({ title, reordered, added, gone, replaced, renamed }: NonNullable<Submission['changes']>): boolean {
  return title !== null || reordered || [added, gone, replaced, renamed].some(({ length }) => length > 0)
}

function isDecided({ outcome }: Submission): boolean {
  return outcome === 'rejected' || outcome === 'withdrawn'
}
