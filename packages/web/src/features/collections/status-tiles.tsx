import { CollectionStatus } from '@proofdesk/contract/status'
import { Layers } from 'lucide-react'
import { readCount } from '../../lib/read-count.ts'
import { m } from '../../paraglide/messages.js'
import { FilterTile } from '../../ui/tile.tsx'
import { useCollectionCounts } from './api.ts'
import { faceOf } from './status-face.ts'

export interface StatusTilesProps {
  /** Undefined while all are shown. */
  chosen: CollectionStatus | undefined
  onChoose: (status: CollectionStatus | undefined) => void
}

/** One tile for each status, and one for all, each with how many it holds. */
export function StatusTiles({ chosen, onChoose }: StatusTilesProps) {
  const { data, isError } = useCollectionCounts(true)
  const countOf = (status: CollectionStatus | 'all') => readCount({ data: data?.[status], isError })
  return (
    <fieldset className="grid min-w-0 grid-cols-2 gap-2 min-[30rem]:grid-cols-3 xl:grid-cols-6">
      <legend className="sr-only">{m.collections_tiles()}</legend>
      {CollectionStatus.options.map((status) => (
        <FilterTile
          key={status}
          {...faceOf(status)}
          count={countOf(status)}
          pressed={chosen === status}
          onPress={() => onChoose(status)}
        />
      ))}
      <FilterTile
        icon={Layers}
        tone="muted"
        word={m.status_all()}
        count={countOf('all')}
        pressed={chosen === undefined}
        onPress={() => onChoose(undefined)}
      />
    </fieldset>
  )
}
