import { m } from '../paraglide/messages.js'
import { CONTROL } from './field.tsx'
import { TABLE_SHAPES, type TableShape } from './table-shapes.ts'

interface OrderSelectProps<Ordering extends string> {
  /** Of the table it orders. */
  shape: TableShape
  /** With their words; the first is the usual one. */
  choices: readonly (readonly [Ordering, string])[]
  ordering: Ordering | undefined
  onOrdering: (ordering: Ordering | undefined) => void
}

/** Where rows are cards there are no column heads to press. */
export function OrderSelect<Ordering extends string>({
  shape,
  choices,
  ordering,
  onOrdering,
}: OrderSelectProps<Ordering>) {
  return (
    <select
      aria-label={m.order_label()}
      value={ordering ?? choices[0]?.[0]}
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
