import { TicketStatus, type TicketFace } from '@proofdesk/contract/status'
import { Layers } from 'lucide-react'
import { readCount } from '../../lib/read-count.ts'
import { m } from '../../paraglide/messages.js'
import { FilterTile } from '../../ui/tile.tsx'
import { useTicketCounts } from './api.ts'
import type { Asker } from './asker.ts'
import { lookOf } from './ticket-face.tsx'

export interface TicketTilesProps {
  asker: Asker
  /** Undefined while all are shown. */
  chosen: TicketFace | undefined
  onChoose: (face: TicketFace | undefined) => void
}

const FACES: TicketFace[] = [...TicketStatus.options, 'CLOSED']

/** One tile for each status, one for the closed and one for all, each with how many it holds. */
export function TicketTiles({ asker, chosen, onChoose }: TicketTilesProps) {
  const { data, isError } = useTicketCounts(asker)
  const countOf = (face: TicketFace | 'all') => readCount({ data: data?.[face], isError })
  return (
    <fieldset className="grid min-w-0 grid-cols-2 gap-2 min-[30rem]:grid-cols-3 max-[30rem]:*:last:col-span-2 lg:grid-cols-5">
      <legend className="sr-only">{m.tickets_tiles()}</legend>
      {FACES.map((face) => (
        <FilterTile
          key={face}
          {...lookOf(face)}
          count={countOf(face)}
          pressed={chosen === face}
          onPress={() => onChoose(face)}
        />
      ))}
      <FilterTile
        icon={Layers}
        tone="muted"
        word={m.tickets_all()}
        count={countOf('all')}
        pressed={chosen === undefined}
        onPress={() => onChoose(undefined)}
      />
    </fieldset>
  )
}
