import { m } from '../../paraglide/messages.js'
import { CONTROL } from '../../ui/field.tsx'
import { TABLE_SHAPES, type TableShape } from '../../ui/table-shapes.ts'
import type { ListState } from './list-state.ts'

export interface OrderSelectProps {
  /** Of the table it orders. */
  shape: TableShape
  ordering: ListState['ordering']
  onOrdering: (ordering: ListState['ordering']) => void
}

/** Where rows are cards there are no column heads to press. */
export function OrderSelect({ shape, ordering, onOrdering }: OrderSelectProps) {
  const choices: [NonNullable<ListState['ordering']>, string][] = [
    ['-created_at', m.order_newest()],
    ['created_at', m.order_oldest()],
    ['title', m.order_title()],
    ['-title', m.order_title_back()],
    ['expire_time', m.order_expires_first()],
    ['-expire_time', m.order_expires_last()],
  ]
  return (
    <select
      aria-label={m.order_label()}
      value={ordering ?? '-created_at'}
      onChange={({ target }) => onOrdering(choices.find(([choice]) => choice === target.value)?.[0])}
      className={`${CONTROL} w-auto! ${TABLE_SHAPES[shape].cardsOnly}`}
    >
      {choices.map(([choice, word]) => (
        <option key={choice} value={choice}>
          {word}
        </option>
      ))}
    </select>
  )
}
