import { m } from '../../paraglide/messages.js'
import { CONTROL } from '../../ui/field.tsx'
import { TABLE_SHAPES } from '../../ui/table-shapes.ts'
import { wordOf } from './flag-words.ts'
import type { UserListState } from './list-state.ts'

type Ordering = UserListState['ordering']

export interface OrderSelectProps {
  ordering: Ordering
  onOrdering: (ordering: Ordering) => void
}

/** Where rows are cards there are no column heads to press. */
export function OrderSelect({ ordering, onOrdering }: OrderSelectProps) {
  const choices = listChoices()
  return (
    <select
      aria-label={m.order_label()}
      value={ordering ?? '-date_joined'}
      onChange={({ target }) => onOrdering(choices.find(([choice]) => choice === target.value)?.[0])}
      className={`${CONTROL} w-auto! ${TABLE_SHAPES.many.cardsOnly}`}
    >
      {choices.map(([choice, word]) => (
        <option key={choice} value={choice}>
          {word}
        </option>
      ))}
    </select>
  )
}

function listChoices(): [NonNullable<Ordering>, string][] {
  const flags = ['is_active', 'is_email_verified', 'is_admin', 'is_staff'] as const
  return [
    ['-date_joined', m.order_newest()],
    ['date_joined', m.order_oldest()],
    ...flags.flatMap((flag): [NonNullable<Ordering>, string][] => [
      [`-${flag}`, m.users_order_yes_first({ column: wordOf(flag) })],
      [flag, m.users_order_no_first({ column: wordOf(flag) })],
    ]),
  ]
}
