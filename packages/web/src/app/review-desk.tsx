import type { Collection } from '@proofdesk/contract/collections'
import type { Content } from '@proofdesk/contract/contents'
import { useCallback, useRef, useState, type RefObject } from 'react'
import { CommentsPanel } from '../features/comments/comments-panel.tsx'
import { ContentTable } from '../features/contents/content-table.tsx'
import { DocumentDesk } from '../features/contents/document-desk.tsx'
import { OriginalViewer } from '../features/contents/original-viewer.tsx'
import { DocumentPreparing, DocumentProblem } from '../features/submissions/document-progress.tsx'
import { ReviewDocumentDesk, type WantedFile } from '../features/submissions/review-document-desk.tsx'
import { useShortcut } from '../lib/use-shortcut.ts'
import { m } from '../paraglide/messages.js'
import { BoundReview } from './bound-review.tsx'

/** Those that go on after a decision too. */
const KEYS = { read: 'Alt+O', comment: 'Alt+C', document: 'Alt+PageDown', collection: 'Alt+↓' }

/**
 * What a reviewer needs to decide, on one screen: the documents beside the decision and the comments. On a phone they stand
 * one under the other, with a bar to jump between them.
 */
export default function ReviewDesk({ collection }: { collection: Collection }) {
  const { comment: mayComment, review: mayReview } = collection.may
  const submission = useReadable(collection.submission)
  const [wanted, setWanted] = useState<WantedFile>()
  const [originalId, setOriginalId] = useState<number>()
  const documents = useRef<HTMLDivElement>(null)
  const decision = useRef<HTMLDivElement>(null)
  const comments = useRef<HTMLDivElement>(null)

  const want = useCallback((contentId: number) => setWanted({ contentId }), [])
  const isPreparing = submission?.document === 'preparing'
  const view = useCallback(
    ({ id }: Content) => {
      if (isPreparing) setOriginalId(id)
      else {
        want(id)
        showPart(documents)
      }
    },
    [want, isPreparing],
  )
  useShortcut('c', () => comments.current?.querySelector('textarea')?.focus(), mayComment)

  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 xl:grid-cols-[minmax(0,1fr)_23rem]">
        <div ref={documents} tabIndex={-1} className="outline-none xl:sticky xl:top-18">
          {submission?.document === 'ready' && (
            <ReviewDocumentDesk
              collectionId={collection.id}
              number={submission.number}
              wanted={wanted}
              onWant={want}
              onOriginal={setOriginalId}
            />
          )}
          {isPreparing && <DocumentPreparing />}
          {(!submission || submission.document === 'none' || submission.document === 'failed') && (
            <DocumentDesk collection={collection} viewedId={wanted?.contentId} onView={want} />
          )}
          <OriginalViewer
            collectionId={collection.id}
            contentId={originalId}
            onClose={() => setOriginalId(undefined)}
          />
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          <div ref={decision} tabIndex={-1} className="outline-none empty:hidden">
            <BoundReview collection={collection} />
            {submission?.document === 'failed' && (
              <div className="mt-4">
                <DocumentProblem collectionId={collection.id} />
              </div>
            )}
          </div>
          <div ref={comments} tabIndex={-1} className="outline-none">
            <CommentsPanel collectionId={collection.id} canComment={mayComment} />
          </div>
          <p className="text-sm text-ink-2 max-xl:hidden">
            {mayReview ? m.desk_keys({ ...KEYS, approve: 'Alt+A', reject: 'Alt+R' }) : m.desk_keys_decided(KEYS)}
          </p>
        </div>
      </div>
      <ContentTable collection={collection} onView={view} />
      <nav
        aria-label={m.desk_parts()}
        className="sticky bottom-0 z-10 -mx-4 flex border-t border-line bg-paper px-2 pb-[env(safe-area-inset-bottom)] sm:-mx-6 lg:-mx-8 xl:hidden"
      >
        <PartButton word={m.desk_documents()} part={documents} />
        <PartButton word={m.review_title()} part={decision} />
        <PartButton word={m.comments_title()} part={comments} />
      </nav>
    </>
  )
}

/** What waits, or what could be read last when somebody else has decided meanwhile. */
function useReadable(submission: Collection['submission']): Collection['submission'] {
  const [last, setLast] = useState<Collection['submission']>(null)
  if (submission?.document === 'ready' && submission !== last) setLast(submission)
  return submission ?? last
}

function PartButton({ word, part }: { word: string; part: RefObject<HTMLElement | null> }) {
  return (
    <button
      type="button"
      onClick={() => showPart(part)}
      className="min-h-12 grow basis-0 font-[560] -outline-offset-2 hover:bg-sunk"
    >
      {word}
    </button>
  )
}

function showPart(part: RefObject<HTMLElement | null>): void {
  part.current?.scrollIntoView({ block: 'start' })
  part.current?.focus({ preventScroll: true })
}
