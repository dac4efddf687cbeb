import { IdParams } from '@proofdesk/contract/fields'
import { isReviewer } from '@proofdesk/contract/permissions'
import { isReviewable } from '@proofdesk/contract/status'
import { Suspense, useState } from 'react'
import { useParams } from 'react-router'
import { CertificatePanel } from '../../features/certificates/certificate-panel.tsx'
import { useCollection } from '../../features/collections/api.ts'
import { CollectionFacts } from '../../features/collections/collection-facts.tsx'
import { CollectionsLink } from '../../features/collections/collections-link.tsx'
import { CollectionHeading } from '../../features/collections/collection-heading.tsx'
import { readEarlierDecision } from '../../features/collections/read-decision.ts'
import { SendBar } from '../../features/collections/send-bar.tsx'
import { useExpiryReload } from '../../features/collections/use-expiry-reload.ts'
import { CommentsPanel } from '../../features/comments/comments-panel.tsx'
import { AddContentForm } from '../../features/contents/add-content-form.tsx'
import { ContentTable } from '../../features/contents/content-table.tsx'
import { ApiError } from '../../lib/api-error.ts'
import { wordsOf } from '../../lib/error-words.ts'
import { useUser } from '../../lib/session.ts'
import { m } from '../../paraglide/messages.js'
import { ErrorBanner } from '../../ui/banner.tsx'
import { loadLazily } from '../../ui/lazy-code.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { RetryButton } from '../../ui/retry-button.tsx'
import { LoadingArea } from '../../ui/spinner.tsx'
import { BoundReview } from '../bound-review.tsx'

// Only reviewers load what is for them.
const QueueBar = loadLazily(() => import('../../features/reviews/queue-bar.tsx'))
const RoundBefore = loadLazily(() => import('../../features/submissions/round-before.tsx'))
// Below what the screen is for.
const CollectionHistory = loadLazily(() => import('../collection-history.tsx'))
const ReviewDesk = loadLazily(() => import('../review-desk.tsx'))

export default function CollectionDetailPage() {
  const params = IdParams.safeParse(useParams())
  return params.success ? <CollectionDetail id={params.data.id} /> : <CollectionMissing />
}

function CollectionDetail({ id }: { id: number }) {
  const viewer = useUser()
  const { data: collection, error, dataUpdatedAt, refetch } = useCollection(id)
  const waits = collection && isReviewer(viewer) && isReviewable(collection) && collection.content_count > 0
  // What stands on the desk stays there, also when somebody else has decided meanwhile.
  const [isAtDesk, setIsAtDesk] = useState(false)
  if (waits && !isAtDesk) setIsAtDesk(true)
  useExpiryReload(collection && [collection], dataUpdatedAt)
  if (error instanceof ApiError && error.status === 404) return <CollectionMissing />
  if (!collection && !error) return <LoadingArea />
  if (!collection) return <CollectionFailure error={error} onRetry={() => void refetch()} />
  const { change_contents: mayAdd, comment: mayComment } = collection.may
  const earlier = isReviewer(viewer) ? readEarlierDecision(collection) : null
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <div className="grid gap-4">
        <CollectionsLink />
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
          <div className="min-w-0 grow basis-96">
            <CollectionHeading collection={collection} />
          </div>
          {isReviewer(viewer) && (
            <Suspense fallback={<div className="min-h-9.5" />}>
              <QueueBar collectionId={id} />
            </Suspense>
          )}
        </div>
        <CollectionFacts collection={collection} saidAt={dataUpdatedAt} />
        <SendBar collection={collection} />
        {earlier !== null && (
          <Suspense fallback={<div className="min-h-24" />}>
            <RoundBefore collectionId={id} decision={earlier} />
          </Suspense>
        )}
      </div>
      {collection.proofid && <CertificatePanel collection={collection} proofid={collection.proofid} />}
      {isAtDesk ? (
        <Suspense fallback={<LoadingArea />}>
          <ReviewDesk collection={collection} />
        </Suspense>
      ) : (
        <>
          {isReviewer(viewer) && <BoundReview collection={collection} />}
          <ContentTable collection={collection} />
          {/* Shown once the rows above stand: on a phone nobody knows before how high they are. */}
          <div
            className={`grid grid-cols-[minmax(0,1fr)] items-start gap-6 peer-has-[tr[data-coming]]:invisible print:hidden ${mayAdd ? 'xl:grid-cols-2' : ''}`}
          >
            {mayAdd && <AddContentForm collection={collection} />}
            <CommentsPanel collectionId={id} canComment={mayComment} />
          </div>
        </>
      )}
      <Suspense>
        <CollectionHistory collection={collection} />
      </Suspense>
    </div>
  )
}

/** Missing, or another's: the two look alike. Asking again would not help. */
function CollectionMissing() {
  return (
    <div className="grid justify-items-start gap-4">
      <CollectionsLink />
      <PageHeading title={m.collections_title()} />
      <ErrorBanner>{`${m.collection_failed()}\n${m.collection_missing()}`}</ErrorBanner>
    </div>
  )
}

function CollectionFailure({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  return (
    <div className="grid justify-items-start gap-4">
      <CollectionsLink />
      <PageHeading title={m.collections_title()} />
      <ErrorBanner>{wordsOf(error, m.collection_failed(), m.collections_failed())}</ErrorBanner>
      <RetryButton onClick={onRetry} />
    </div>
  )
}
