import type { ReactNode } from 'react'
import { joinClasses } from './class-names.ts'
import { Skeleton } from './spinner.tsx'

export interface Column<T> {
  id: string
  header: string
  cell: (row: T) => ReactNode
  /**
   * Where it stands on a phone, where each row is a card: `title` leads, `corner` stands at its end, `line` goes below
   * (`labelled`: with the column's name before it), `hidden` is left out.
   */
  phone: 'title' | 'corner' | 'line' | 'labelled' | 'hidden'
  /** Classes of the column's cells on wide screens, e.g. a width. */
  className?: string
}

export interface DataTableProps<T> {
  /** Says what the table lists, for screen readers. */
  caption: string
  columns: Column<T>[]
  /** Absent while they load for the first time. */
  rows: T[] | undefined
  rowKey: (row: T) => string | number
  rowClass?: (row: T) => string
  /** Shown in place of the rows when there are none. */
  empty: ReactNode
  /** The area keeps this many rows' height, so that nothing jumps while another page loads. */
  keepRows?: number
}

const PHONE: Record<Column<unknown>['phone'], string> = {
  title: 'order-1 grow basis-3/5 font-semibold md:font-[560]',
  corner: 'order-2 shrink-0',
  line: 'order-3 basis-full empty:hidden',
  labelled: 'order-3 flex basis-full gap-2 empty:hidden',
  hidden: 'hidden md:table-cell',
}

const HEIGHTS: Record<number, string> = { 3: 'min-h-48', 5: 'min-h-72', 10: 'min-h-140' }

/** A table that becomes a list of cards on a phone, so that nothing scrolls sideways. */
export function DataTable<T>({ caption, columns, rows, rowKey, rowClass, empty, keepRows = 10 }: DataTableProps<T>) {
  return (
    <div className={joinClasses('md:overflow-x-auto', HEIGHTS[keepRows])} aria-busy={!rows}>
      <table className="block w-full border-collapse text-start md:table">
        <caption className="sr-only">{caption}</caption>
        <thead className="sr-only md:not-sr-only md:table-header-group">
          <tr>
            {columns.map((column) => (
              <th
                key={column.id}

                scope="col"
                className="px-3.5 py-2.5 text-start text-xs font-semibold text-ink-2 first:ps-4"
              >
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="block md:table-row-group">
          {rows?.map((row) => (
            <tr key={rowKey(row)} className={joinClasses(ROW, rowClass?.(row))}>
              {columns.map((column) => (
                <td
                  key={column.id}

                  className={joinClasses(
                    'min-w-0 md:table-cell md:px-3.5 md:py-2.5 md:align-middle md:first:ps-4',
                    PHONE[column.phone],
                    column.className,
                  )}
                >
                  {column.phone === 'labelled' && <span className="text-sm text-ink-2 md:hidden">{column.header}</span>}
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
          {!rows && <LoadingRows columns={columns.length} rows={keepRows} />}
        </tbody>
      </table>
      {rows?.length === 0 && empty}
    </div>
  )
}

const ROW = 'flex flex-wrap items-start gap-x-3 gap-y-2 border-t border-line p-4 md:table-row md:h-13 md:p-0'

function LoadingRows({ columns, rows }: { columns: number; rows: number }) {
  return Array.from({ length: rows }, (_, row) => (
    <tr key={row} className={ROW}>
      {Array.from({ length: columns }, (__, column) => (
        <td key={column} className={column > 1 ? 'hidden md:table-cell md:px-3.5' : 'w-full md:px-3.5'}>
          <Skeleton className="w-3/4" />
        </td>
      ))}
    </tr>
  ))
}
