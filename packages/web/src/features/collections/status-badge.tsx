import { collectionStatus, type StatusFacts } from '@proofdesk/contract/status'
import { Badge } from '../../ui/badge.tsx'
import { faceOf } from './status-face.ts'

export function StatusBadge({ collection }: { collection: StatusFacts }) {
  const { icon, tone, word } = faceOf(collectionStatus(collection))
  return (
    <Badge icon={icon} tone={tone}>
      {word}
    </Badge>
  )
}
