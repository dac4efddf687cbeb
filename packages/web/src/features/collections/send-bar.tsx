import type { Collection } from '@proofdesk/contract/collections'
import { Send } from 'lucide-react'
import { useState } from 'react'
import { m } from '../../paraglide/messages.js'
import { ErrorBanner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { useSendForReview } from './use-send-for-review.ts'

/** Sending the collection for review, for those who may; an empty one cannot be sent from here. */
export function SendBar({ collection }: { collection: Collection }) {
  const [problem, setProblem] = useState<string>()
  const { busy, sendForReview } = useSendForReview(setProblem)
  const isEmpty = collection.content_count === 0
  if (!collection.may.send && !problem) return null
  return (
    <div className="grid gap-3">
      {problem && <ErrorBanner>{problem}</ErrorBanner>}
      {collection.may.send && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button
            kind="brand"
            busy={busy}
            disabled={isEmpty}
            aria-describedby={isEmpty ? 'send-empty' : undefined}
            onClick={() => sendForReview(collection)}
          >
            {!busy && <Send aria-hidden size={16} />}
            {m.collection_send()}
          </Button>
          {isEmpty && (
            <p id="send-empty" className="text-sm text-ink-2">
              {m.collection_send_empty_why()}
            </p>
          )}
        </div>
      )}
    </div>
  )
}
