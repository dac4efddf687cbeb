import { PANEL_HEIGHT_PX } from '@proofdesk/contract/limits'
import { useState } from 'react'
import { wordsOf } from '../../lib/error-words.ts'
import { m } from '../../paraglide/messages.js'
import { ErrorBanner } from '../../ui/banner.tsx'
import { RetryButton } from '../../ui/retry-button.tsx'
import { LoadingArea } from '../../ui/spinner.tsx'
import { useComments } from './api.ts'
import { CommentForm } from './comment-form.tsx'
import { CommentList } from './comment-list.tsx'

export interface CommentsPanelProps {
  collectionId: number
  canComment: boolean
}

/** What was said about a collection, and a field to add to it. */
export function CommentsPanel({ collectionId, canComment }: CommentsPanelProps) {
  const { data, error, refetch } = useComments(collectionId)
  const [problem, setProblem] = useState<string>()
  return (
    <section aria-labelledby="comments" className="sheet flex flex-col" style={{ height: PANEL_HEIGHT_PX }}>
      <h2 id="comments" className="border-b border-line px-4 py-3 font-serif text-xl font-semibold">
        {m.comments_title()}
      </h2>
      {problem && (
        <div className="p-3">
          <ErrorBanner>{problem}</ErrorBanner>
        </div>
      )}
      <div className="flex min-h-0 grow flex-col">
        {data && <CommentList collectionId={collectionId} comments={data} onProblem={setProblem} />}
        {!data && !error && <LoadingArea />}
        {!data && error && (
          <div className="grid justify-items-start gap-3 p-4">
            <ErrorBanner>{wordsOf(error, m.comments_failed(), m.comments_fetch_failed())}</ErrorBanner>
            <RetryButton onClick={() => void refetch()} />
          </div>
        )}
      </div>
      {canComment && <CommentForm collectionId={collectionId} />}
    </section>
  )
}
