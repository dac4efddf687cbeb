import { m } from '../paraglide/messages.js'
import { joinClasses } from './class-names.ts'
import { CONTROL } from './field.tsx'
import { TABLE_SHAPES, type TableShape } from './table-shapes.ts'

interface OrderSelectProps<Ordering extends string> {
  /** Of a table whose heads order it by the same, so that only its cards need this; absent where the heads lack some. */
  shape?: TableShape
  /** With their words; the first is the usual one. */
  choices: readonly (readonly [Ordering, string])[]
  ordering: Ordering | undefined
  onOrdering: (ordering: Ordering | undefined) => void
}

/** For what no column head can be pressed for: where rows are cards there are none. */
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
      className={joinClasses(CONTROL, 'w-auto!', shape && TABLE_SHAPES[shape].cardsOnly)}
    >
      {choices.map(([choice, word]) => (
        <option key={choice} value={choice}>
          {word}
        </option>
      ))}
    </select>
  )
}
