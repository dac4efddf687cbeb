import { CollectionStatus } from '@proofdesk/contract/status'
import { m } from '../../paraglide/messages.js'
import { CONTROL } from '../../ui/field.tsx'
import { useCollectionCounts } from './api.ts'
import { faceOf } from './status-face.ts'
import type { ListState } from './list-state.ts'

export interface StatusSelectProps {
  chosen: ListState['status']
  onChoose: (status: ListState['status']) => void
}

/** The filter of those who have no tiles, with how many each status holds. */
export function StatusSelect({ chosen, onChoose }: StatusSelectProps) {
  const { data } = useCollectionCounts(true)
  const say = (word: string, count: number | undefined) =>
    count === undefined ? word : m.collections_status_option({ status: word, count })
  return (
    <select
      aria-label={m.collections_tiles()}
      value={chosen ?? 'all'}
      onChange={({ target }) => onChoose(CollectionStatus.safeParse(target.value).data)}
      className={`${CONTROL} w-auto!`}
    >
      {CollectionStatus.options.map((status) => (
        <option key={status} value={status}>
          {say(faceOf(status).word, data?.[status])}
        </option>
      ))}
      <option value="all">{say(m.status_all(), data?.all)}</option>
    </select>
  )
}
