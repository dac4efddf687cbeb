import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import { joinClasses } from './class-names.ts'
import { ROLES } from './table-shapes.ts'

export interface SortHeaderProps {
  word: string
  sorted: false | 'asc' | 'desc'
  /** Goes round: ascending, descending, none. Absent where the column cannot be ordered by. */
  onToggle?: (() => void) | undefined
  className: string | false | undefined
}

const ICONS = { asc: ArrowUp, desc: ArrowDown, none: ChevronsUpDown }

/** The head of a column, pressed to order by it. */
export function SortHeader({ word, sorted, onToggle, className }: SortHeaderProps) {
  const Icon = ICONS[sorted || 'none']
  const direction = sorted === 'asc' ? 'ascending' : 'descending'
  return (
    <th
      {...ROLES.columnheader}
      scope="col"
      aria-sort={onToggle && sorted ? direction : undefined}
      className={joinClasses(
        'px-3 py-2.5 text-start text-xs font-semibold whitespace-nowrap text-ink-2 first:ps-4 last:pe-4',
        className,
      )}
    >
      {onToggle ? (
        <button
          type="button"
          onClick={onToggle}
          className="-mx-1.5 -my-1 inline-flex min-h-6 items-center gap-1 rounded-md px-1.5 py-1 hover:bg-sunk hover:text-ink"
        >
          {word}
          <Icon aria-hidden size={13} className={sorted ? 'text-brand' : ''} />
        </button>
      ) : (
        word
      )}
    </th>
  )
}
