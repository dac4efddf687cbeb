import { useRef, type ReactNode } from 'react'
import { m } from '../paraglide/messages.js'
import { joinClasses } from './class-names.ts'
import { useKeptRows } from './kept-rows.ts'
import { SortHeader } from './sort-header.tsx'
import { Skeleton } from './spinner.tsx'
import { PLACES, ROLES, TABLE_SHAPES, type PhonePlace, type TableLooks, type TableShape } from './table-shapes.ts'
import { useKeptFocus } from './use-kept-focus.ts'

export interface Column<T> {
  id: string
  header: string
  /** Null for nothing: a dash in a table, left out on a card. */
  cell: (row: T) => ReactNode
  /** Where it stands when there is no room for a table and each row is a card. */
  phone: PhonePlace
  /** Left out when false, for example for a role. */
  visible?: boolean
  /** Name the server orders by; absent when it does not. */
  ordering?: string
  /** Classes of the column's cells on wide screens, e.g. a width. */
  className?: string
  /** Has nothing but buttons, which no paper shows. */
  isOnScreenOnly?: boolean
}

/** Four are as high as a picture. */
type RowLines = 1 | 2 | 4

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
  /** Rows of a full page. Once there was one the area keeps its height, so that nothing jumps while another page loads. */
  keepRows?: 3 | 10
  /** Lines of text a row has at least, so that the rows to come take the height of those that come. */
  lines?: RowLines
  /** How many rows to expect; as many as it showed last when absent. */
  expectedRows?: number
  /** How much room it takes to be a table. */
  shape?: TableShape
  /** What the rows are ordered by, a leading minus for descending; undefined for the server's own order. */
  ordering?: string | undefined
  onOrdering?: (ordering: string | undefined) => void
  /** Rows of another page or search stand there until the new ones have come. */
  stale?: boolean
}

const OFF_PAPER = 'print:hidden!'

const HEIGHTS = {
  1: { 3: 'min-h-48', 10: 'min-h-140' },
  2: { 3: 'min-h-56', 10: 'min-h-164' },
  4: { 3: 'min-h-75', 10: 'min-h-223' },
}

/** A table that becomes a list of cards where it has no room, so that nothing scrolls sideways. */
export function DataTable<T extends object>(props: DataTableProps<T>) {
  const {
    caption,
    columns,
    rows,
    rowKey,
    rowClass,
    empty,
    keepRows = 10,
    lines = 1,
    shape = 'few',
    ordering,
    stale,
  } = props
  const looks = TABLE_SHAPES[shape]
  const { expected, isKeptFull } = useKeptRows(caption, rows, keepRows)
  const area = useRef<HTMLDivElement>(null)
  const keepFocus = useKeptFocus(area, rows)
  const visible = columns.filter((column) => column.visible !== false)
  return (
    <div
      ref={area}
      tabIndex={-1}
      onFocus={keepFocus}
      className={joinClasses('peer @container', isKeptFull && HEIGHTS[lines][keepRows])}
      aria-busy={!rows || stale}
    >
      <table {...ROLES.table} className={rows?.length === 0 ? looks.emptyTable : looks.table}>
        <caption className="sr-only">{caption}</caption>
        {/* The rows give the columns their widths: until they come the heads would stand elsewhere. */}
        <thead {...ROLES.rowgroup} className={joinClasses(looks.head, !rows && 'invisible')}>
          <tr {...ROLES.row}>
            {visible.map(({ id, header, ordering: name, isOnScreenOnly }) => {
              const sorted = readSorting(name, ordering)
              const toggle = () => props.onOrdering?.(nextOrdering(name, sorted))
              return (
                <SortHeader
                  key={id}
                  word={header}
                  sorted={sorted}
                  onToggle={name === undefined ? undefined : toggle}
                  className={isOnScreenOnly && OFF_PAPER}
                />
              )
            })}
          </tr>
        </thead>
        <tbody {...ROLES.rowgroup} className={joinClasses(looks.body, stale && 'opacity-60')}>
          {rows?.map((row) => (
            <tr key={rowKey(row)} {...ROLES.row} className={joinClasses(looks.row, rowClass?.(row))}>
              {visible.map((column) => (
                <TableCell key={column.id} column={column} row={row} shape={shape} />
              ))}
            </tr>
          ))}
          {!rows && (
            <LoadingRows looks={looks} columns={visible.length} rows={props.expectedRows ?? expected} lines={lines} />
          )}
        </tbody>
      </table>
      {rows?.length === 0 && empty}
    </div>
  )
}

function TableCell<T>({ column, row, shape }: { column: Column<T>; row: T; shape: TableShape }) {
  const looks = TABLE_SHAPES[shape]
  const content = column.cell(row)
  const paper = column.isOnScreenOnly && OFF_PAPER
  if (content === null) return <NothingCell shape={shape} className={paper} />
  return (
    <td {...ROLES.cell} className={joinClasses(looks.cell, PLACES[column.phone], column.className, paper)}>
      {column.phone === 'labelled' && <span className={looks.label}>{column.header}</span>}
      {content}
    </td>
  )
}

/** A dash for the eye, a word for the ear. */
function NothingCell({ shape, className }: { shape: TableShape; className: string | false | undefined }) {
  const looks = TABLE_SHAPES[shape]
  return (
    <td {...ROLES.cell} className={joinClasses(looks.cell, PLACES.hidden, 'text-ink-2', className)}>
      <span aria-hidden>–</span>
      <span className="sr-only">{m.nothing()}</span>
    </td>
  )
}

interface LoadingRowsProps {
  looks: TableLooks
  columns: number
  rows: number
  lines: RowLines
}

function LoadingRows({ looks, columns, rows, lines }: LoadingRowsProps) {
  return Array.from({ length: rows }, (_, row) => (
    <tr key={row} {...ROLES.row} data-coming className={joinClasses(looks.row, lines !== 1 && looks.tallRows[lines])}>
      {Array.from({ length: columns }, (__, column) => (
        <td key={column} {...ROLES.cell} className={joinClasses(looks.cell, column > 1 ? PLACES.hidden : 'w-full')}>
          <Skeleton className="w-3/4" />
        </td>
      ))}
    </tr>
  ))
}

function readSorting(name: string | undefined, ordering: string | undefined): false | 'asc' | 'desc' {
  if (name === undefined || ordering?.replace(/^-/, '') !== name) return false
  return ordering.startsWith('-') ? 'desc' : 'asc'
}

/** Goes round: ascending, descending, none. */
function nextOrdering(name: string | undefined, sorted: false | 'asc' | 'desc'): string | undefined {
  if (sorted === 'desc') return undefined
  return sorted === 'asc' ? `-${name}` : name
}
