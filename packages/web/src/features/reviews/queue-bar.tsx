import type { WaitingCollection } from '@proofdesk/contract/reviews'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { contentPath } from '../../lib/paths.ts'
import { m } from '../../paraglide/messages.js'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { useQueueAhead, useReviewQueue } from './api.ts'
import { useQueueKeys } from './use-queue-keys.ts'

/** The way through what waits for a decision, the oldest first. After the last comes the first. */
export default function QueueBar({ collectionId }: { collectionId: number }) {
  const { data: queue } = useReviewQueue(collectionId)
  useQueueAhead(queue)
  useQueueKeys(queue?.previous, queue?.next)
  return (
    <nav aria-label={m.queue_label()} className="flex min-h-9.5 flex-wrap items-center gap-x-3 gap-y-2 print:hidden">
      {queue && queue.waiting > 0 && (
        <>
          <QueueLink to={queue.previous} word={m.queue_previous()} keys="Alt+ArrowUp">
            <ChevronLeft aria-hidden size={16} className="rtl:rotate-180" />
            <span className="max-sm:sr-only">{m.queue_previous()}</span>
          </QueueLink>
          <p className="text-sm text-ink-2 tabular-nums">
            {queue.place === null
              ? m.queue_waiting({ count: queue.waiting })
              : m.queue_place({ place: queue.place, count: queue.waiting })}
          </p>
          <QueueLink to={queue.next} word={m.queue_next()} keys="Alt+ArrowDown">
            {m.queue_next()}
            <ChevronRight aria-hidden size={16} className="rtl:rotate-180" />
          </QueueLink>
        </>
      )}
    </nav>
  )
}

interface QueueLinkProps {
  to: WaitingCollection | null
  word: string
  keys: string
  children: ReactNode
}

function QueueLink({ to, word, keys, children }: QueueLinkProps) {
  if (!to) return <Button disabled>{children}</Button>
  const name = m.queue_neighbour({ word, title: to.title })
  return (
    <ButtonLink to={contentPath(to.id)} aria-label={name} title={name} aria-keyshortcuts={keys}>
      {children}
    </ButtonLink>
  )
}
