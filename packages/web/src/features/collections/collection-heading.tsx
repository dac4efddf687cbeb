import type { Collection } from '@proofdesk/contract/collections'
import { isOrdinary, type Viewer } from '@proofdesk/contract/permissions'
import { useUser } from '../../lib/session.ts'
import { m } from '../../paraglide/messages.js'
import { PageHeading } from '../../ui/page-heading.tsx'
import { Sentence } from '../../ui/sentence.tsx'

/** The three headings of specification section 2, by state. */
export function CollectionHeading({ collection }: { collection: Collection }) {
  const { title } = collection
  const say = headingOf(useUser(), collection)
  return (
    <PageHeading title={say(title)}>
      <Sentence say={say} text={title} />
    </PageHeading>
  )
}

function headingOf(viewer: Viewer, collection: Collection): (title: string) => string {
  if (!collection.is_active) return (title) => m.collection_heading_inactive({ title })
  if (collection.is_locked && isOrdinary(viewer)) return (title) => m.collection_heading_locked({ title })
  return (title) => m.collection_heading({ title })
}
