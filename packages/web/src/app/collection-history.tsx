import type { Collection } from '@proofdesk/contract/collections'
import { isReviewer } from '@proofdesk/contract/permissions'
import { ActivityPanel } from '../features/audit/activity-panel.tsx'
import { readDecision, readEarlierDecision } from '../features/collections/read-decision.ts'
import { useSubmissions } from '../features/submissions/api.ts'
import { RoundsPanel } from '../features/submissions/rounds-panel.tsx'
import { useUser } from '../lib/session.ts'

/**
 * What has become of a collection. What a reviewer wrote stands once on the screen: above while it holds, or while reviewers look at what was sent again; else
 * with its round.
 */
export default function CollectionHistory({ collection }: { collection: Collection }) {
  const { id } = collection
  const { data: rounds, isPending, errorUpdateCount: failures } = useSubmissions(id, 1)
  const viewer = useUser()
  const decision = readDecision(collection) ?? (isReviewer(viewer) ? readEarlierDecision(collection) : null)
  // What the rounds tell, the activity does not repeat.
  // Rounds that cannot be loaded are asked for again by the panel itself, which must not go away with that.
  const told =
    isPending && failures === 0 ? undefined : [decision, ...(rounds?.results ?? []).map(({ admin_desc: text }) => text)]
  return (
    <>
      <ActivityPanel collectionId={id} told={told} />
      {told && <RoundsPanel collectionId={id} decision={decision} />}
    </>
  )
}
