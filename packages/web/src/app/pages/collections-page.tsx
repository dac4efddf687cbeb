import type { Collection } from '@proofdesk/contract/collections'
import { canCreateCollection, isOrdinary, isReviewer, type Viewer } from '@proofdesk/contract/permissions'
import { hasStatusTiles } from '@proofdesk/contract/role-views'
import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { useDeleteCollection } from '../../features/collections/api.ts'
import { CollectionList } from '../../features/collections/collection-list.tsx'
import { CreatePanel } from '../../features/collections/create-panel.tsx'
import { EditTitleDialog } from '../../features/collections/edit-title-dialog.tsx'
import { rememberList } from '../../features/collections/last-list.ts'
import { listAddressFor } from '../../features/collections/list-state.ts'
import { StatusTiles } from '../../features/collections/status-tiles.tsx'
import { useSendForReview } from '../../features/collections/use-send-for-review.ts'
import { attempt } from '../../lib/attempt.ts'
import { wordsOf } from '../../lib/error-words.ts'
import { useUser } from '../../lib/session.ts'
import { useListAddress } from '../../lib/use-list-address.ts'
import { m } from '../../paraglide/messages.js'
import { askConfirm } from '../../ui/ask.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { PassingSuccess, usePassingSuccess } from '../../ui/passing-success.tsx'
import { SeenBanner } from '../../ui/seen-banner.tsx'

export default function CollectionsPage() {
  const viewer = useUser()
  return (
    <>
      <PageHeading title={m.collections_title()} lead={leadFor(viewer)} />
      <div className="mt-6 grid grid-cols-[minmax(0,1fr)] gap-5">
        {viewer.is_email_verified ? (
          <Collections />
        ) : (
          <div className="sheet">
            <EmptyState title={m.email_not_verified()} text={m.collections_unverified_text()} />
          </div>
        )}
      </div>
    </>
  )
}

function leadFor(viewer: Viewer): string | undefined {
  if (isReviewer(viewer)) return m.collections_lead_reviewer()
  return isOrdinary(viewer) ? m.collections_lead() : undefined
}

function Collections() {
  const viewer = useUser()
  const { state, change } = useListAddress(listAddressFor(viewer))
  const { search: address } = useLocation()
  useEffect(() => {
    rememberList(address)
  }, [address])
  const [success, tellSuccess] = usePassingSuccess()
  const [problem, setProblem] = useState<string>()
  const [edited, setEdited] = useState<Collection>()
  const { sendForReview } = useSendForReview(setProblem)
  const remove = useDeleteCollection()

  async function deleteAfterAsking(collection: Collection) {
    setProblem(undefined)
    const { title, proofid } = collection
    const text = proofid ? m.collection_delete_expired_text({ title }) : m.collection_delete_text({ title })
    if (!(await askConfirm({ title: m.are_you_sure(), text, action: m.collection_delete(), danger: true }))) return
    // Awaited: what is given to `mutate` is not told of one deletion once another has begun.
    const outcome = await attempt(remove.mutateAsync(collection))
    if (outcome.isDone) tellSuccess(m.collection_deleted())
    else setProblem(wordsOf(outcome.error, m.collection_delete_failed()))
  }

  return (
    <>
      {hasStatusTiles(viewer) && <StatusTiles chosen={state.status} onChoose={(status) => change({ status })} />}
      {canCreateCollection(viewer) && <CreatePanel onCreated={() => tellSuccess(m.collection_created())} />}
      {problem && <SeenBanner text={problem} />}
      <CollectionList
        state={state}
        onChange={change}
        onEdit={setEdited}
        onDelete={(collection) => void deleteAfterAsking(collection)}
        onSend={sendForReview}
      />
      <EditTitleDialog
        collection={edited}
        onClose={() => setEdited(undefined)}
        onUpdated={() => tellSuccess(m.collection_updated())}
      />
      <PassingSuccess success={success} />
    </>
  )
}
