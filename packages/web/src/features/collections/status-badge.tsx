import type { Collection } from '@proofdesk/contract/collections'
import { collectionStatus, type StatusFacts } from '@proofdesk/contract/status'
import { Ban } from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import { Badge } from '../../ui/badge.tsx'
import { faceOf } from './status-face.ts'

/** The status, and beside it that the proof was revoked: that is no status of its own, so it stands under the same tiles. */
export function StatusBadge({ collection }: { collection: StatusFacts & Pick<Collection, 'revoked_at'> }) {
  const { icon, tone, word } = faceOf(collectionStatus(collection))
  const isRevoked = collection.revoked_at !== null
  return (
    <span className="inline-flex flex-wrap gap-1.5">
      <Badge icon={icon} tone={isRevoked ? 'muted' : tone}>
        {word}
      </Badge>
      {isRevoked && (
        <Badge icon={Ban} tone="seal">
          {m.proof_is_revoked()}
        </Badge>
      )}
    </span>
  )
}
