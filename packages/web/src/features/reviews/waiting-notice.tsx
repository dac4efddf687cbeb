import { ChevronRight, Inbox } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { wordsOf } from '../../lib/error-words.ts'
import { contentPath } from '../../lib/paths.ts'
import { m } from '../../paraglide/messages.js'
import { ErrorBanner } from '../../ui/banner.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/spinner.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { useReviewQueue } from './api.ts'
import { readDecided } from './decided.ts'
import { useQueueKeys } from './use-queue-keys.ts'

/**
 * What waits for a reviewer, and the way to the next. Reached from a decision it offers the one after it, and that offer
 * takes the focus: Enter goes on.
 */
export default function WaitingNotice() {
  const decidedId = readDecided(useLocation().state)
  const { data: queue, error } = useReviewQueue(decidedId)
  const next = queue?.next
  useQueueKeys(undefined, next)
  const link = useRef<HTMLAnchorElement>(null)
  const nextId = next?.id
  useEffect(() => {
    // Whoever has gone elsewhere meanwhile stays there.
    const isFree = document.activeElement === document.body || document.activeElement?.tagName === 'H1'
    if (decidedId !== undefined && nextId !== undefined && isFree) link.current?.focus()
  }, [decidedId, nextId])

  if (error && !queue) return <ErrorBanner>{wordsOf(error, m.queue_failed())}</ErrorBanner>
  return (
    <section
      aria-label={m.queue_label()}
      className="sheet flex min-h-22 flex-wrap items-center gap-x-4 gap-y-3 p-4 sm:p-5"
    >
      <Inbox aria-hidden size={22} strokeWidth={1.7} className={next ? 'text-brand' : 'text-ink-2'} />
      <div className="min-w-0 grow basis-56">
        <p className="font-semibold">{queue ? sayWaiting(queue.waiting) : <Skeleton className="w-56" />}</p>
        {queue && <p className="text-ink-2">{next ? <UserText>{next.title}</UserText> : m.queue_empty_text()}</p>}
      </div>
      {next && (
        <ButtonLink
          ref={link}
          kind="brand"
          to={contentPath(next.id)}
          aria-label={m.queue_neighbour({ word: m.queue_next(), title: next.title })}
          aria-keyshortcuts="Alt+ArrowDown"
        >
          {m.queue_next()}
          <ChevronRight aria-hidden size={16} className="rtl:rotate-180" />
        </ButtonLink>
      )}
    </section>
  )
}

function sayWaiting(waiting: number): string {
  return waiting === 0 ? m.queue_empty_title() : m.queue_waiting_title({ count: waiting })
}
