import type { Collection } from '@proofdesk/contract/collections'
import { DEFAULT_ADMIN_DESC } from '@proofdesk/contract/limits'
import { isReviewer } from '@proofdesk/contract/permissions'
import { MessageSquareWarning } from 'lucide-react'
import type { ReactNode } from 'react'
import { useUser } from '../../lib/session.ts'
import { m } from '../../paraglide/messages.js'
import { DateTime } from '../../ui/time.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { readDecision } from './read-decision.ts'
import { RemainingTime } from './remaining-time.tsx'
import { StatusBadge } from './status-badge.tsx'

/** Status and the other facts of one collection. @param saidAt When they came, in milliseconds since 1970-01-01 UTC. */
export function CollectionFacts({ collection, saidAt }: { collection: Collection; saidAt: number }) {
  const viewer = useUser()
  const { username, admin_username: staff, admin_desc: description, created_at: createdAt } = collection
  const decision = readDecision(collection)
  const isRejected = decision !== null && collection.proofid === null
  return (
    <dl aria-label={m.collection_facts()} className="flex flex-wrap items-start gap-x-8 gap-y-3">
      <Fact name={m.collection_column_status()}>
        <StatusBadge collection={collection} />
      </Fact>
      {isReviewer(viewer) && (
        <Fact name={m.user_name()}>
          <UserText>{username}</UserText>
        </Fact>
      )}
      {viewer.is_superuser && staff !== null && (
        <Fact name={m.collection_column_staff()}>
          <UserText>{staff}</UserText>
        </Fact>
      )}
      <Fact name={m.collection_column_created()}>
        <DateTime at={createdAt} />
      </Fact>
      {collection.expire_time !== null && (
        <Fact name={m.collection_expires()}>
          <DateTime at={collection.expire_time} />
        </Fact>
      )}
      {collection.proofid !== null && (
        <Fact name={m.collection_column_remaining()}>
          <RemainingTime collection={collection} saidAt={saidAt} />
        </Fact>
      )}
      {isRejected && <RejectionReason text={decision} />}
      {/* What was written of an earlier round stands with that round. */}
      {!isRejected && (decision !== null || description === DEFAULT_ADMIN_DESC) && (
        <Fact name={m.collection_column_admin_desc()} wide={decision !== null}>
          <UserText className="wrap-anywhere whitespace-pre-wrap">{description}</UserText>
        </Fact>
      )}
    </dl>
  )
}

/** What its owner has to read before anything else. */
function RejectionReason({ text }: { text: string }) {
  return (
    <div className="max-w-3xl basis-full rounded-control border border-seal/35 bg-seal-wash px-3.5 py-2.5">
      <dt className="flex items-center gap-2 font-semibold text-seal">
        <MessageSquareWarning aria-hidden size={17} className="shrink-0" />
        {m.collection_rejected_because()}
      </dt>
      <dd className="mt-1">
        <UserText className="wrap-anywhere whitespace-pre-wrap">{text}</UserText>
      </dd>
    </div>
  )
}

function Fact({ name, wide = false, children }: { name: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={wide ? 'max-w-3xl basis-full' : ''}>
      <dt className="text-xs font-semibold text-ink-2">{name}</dt>
      <dd className="mt-1 flex min-h-6.5 items-center">{children}</dd>
    </div>
  )
}
