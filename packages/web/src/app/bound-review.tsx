import type { Collection } from '@proofdesk/contract/collections'
import { Suspense } from 'react'
import { useContents } from '../features/contents/api.ts'
import { ReviewPanel } from '../features/reviews/review-panel.tsx'
import { useLookedAt } from '../features/submissions/use-looked-at.ts'
import { loadLazily } from '../ui/lazy-code.tsx'

const OtherSubmissionNotice = loadLazily(async () => ({
  default: (await import('../features/submissions/rounds-panel.tsx')).OtherSubmissionNotice,
}))

/** The decision, bound to what its reviewer has on screen: the title and the review document, or the files, of one submission. */
export function BoundReview({ collection }: { collection: Collection }) {
  const { data: contents } = useContents(collection.id)
  const shown = findShown(collection, contents)
  const { lookedAt, isAnother, lookAnew } = useLookedAt(shown)
  const notice = isAnother && (
    <Suspense>
      <OtherSubmissionNotice collectionId={collection.id} lookedAt={lookedAt} shown={shown} onLookedAnew={lookAnew} />
    </Suspense>
  )
  return <ReviewPanel collection={collection} lookedAt={lookedAt} notice={notice} />
}

/** @returns undefined while the title on screen is that of one submission and the files are those of another. */
function findShown(
  { submission, content_count }: Collection,
  contents: { collection: { digest: string | null } }[] | undefined,
): string | undefined {
  const digest = submission?.digest ?? undefined
  // The desk shows the review document of this very submission; originals come with an answer of their own.
  if (submission?.document === 'ready') return digest
  if (contents?.length !== content_count) return undefined
  return contents.every(({ collection }) => collection.digest === digest) ? digest : undefined
}
