/**
 * Where a column stands on a card: `title` leads, `corner` stands at its end, `line` goes below (`labelled`: with the
 * column's name before it, beside its neighbours), `inline` goes below beside its neighbours, `end` comes last, `hidden` is
 * left out.
 */
export type PhonePlace = 'title' | 'corner' | 'line' | 'inline' | 'labelled' | 'end' | 'hidden'

/** `few` columns fit from 48 rem of room, `many` from 64 rem, `most` from 76 rem; with less, rows are cards. */
export type TableShape = 'few' | 'many' | 'most'

/** Written out because a `display` other than a table's takes a table's own roles away in some browsers. */
export const ROLES = {
  table: { role: 'table' },
  rowgroup: { role: 'rowgroup' },
  row: { role: 'row' },
  columnheader: { role: 'columnheader' },
  cell: { role: 'cell' },
}

export interface TableLooks {
  table: string
  /** Without rows there is nothing to show but the heads, and cards have none. */
  emptyTable: string
  head: string
  body: string
  row: string
  /** By lines of text. */
  tallRows: Record<2 | 4, string>
  cell: string
  label: string
  /** For what only cards need. */
  cardsOnly: string
}

const TABLE = 'block w-full border-collapse text-start'
/** `before` ends the line of title and corner. */
const ROW =
  'flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-line p-4 first:border-t-0 before:order-3 before:-mt-2 before:basis-full before:content-[""]'

/** Where a cell stands on a card; the same at every width. */
export const PLACES: Record<PhonePlace, string> = {
  title: 'order-1 grow basis-3/5',
  corner: 'order-2 shrink-0 self-start',
  line: 'order-5 basis-full empty:hidden',
  inline: 'order-4 empty:hidden',
  labelled: 'order-6 flex flex-wrap gap-x-2 empty:hidden',
  end: 'order-7 basis-full',
  hidden: 'hidden',
}

/** Written out in full, since Tailwind finds classes by reading them. */
export const TABLE_SHAPES: Record<TableShape, TableLooks> = {
  few: {
    table: `${TABLE} @3xl:table`,
    emptyTable: 'hidden w-full border-collapse text-start @3xl:table',
    head: 'hidden @3xl:table-header-group',
    body: 'block @3xl:table-row-group',
    row: `${ROW} @3xl:table-row @3xl:before:hidden @3xl:h-13 @3xl:p-0 @3xl:first:border-t`,
    tallRows: { 2: '@3xl:h-15.5!', 4: '@3xl:h-21.25!' },
    cell: 'min-w-0 @3xl:table-cell @3xl:px-3 @3xl:py-2.5 @3xl:align-middle @3xl:first:ps-4 @3xl:last:pe-4',
    label: 'text-sm text-ink-2 @3xl:hidden',
    cardsOnly: '@3xl:hidden',
  },
  many: {
    table: `${TABLE} @5xl:table`,
    emptyTable: 'hidden w-full border-collapse text-start @5xl:table',
    head: 'hidden @5xl:table-header-group',
    body: 'block @5xl:table-row-group',
    row: `${ROW} @5xl:table-row @5xl:before:hidden @5xl:h-13 @5xl:p-0 @5xl:first:border-t`,
    tallRows: { 2: '@5xl:h-15.5!', 4: '@5xl:h-21.25!' },
    cell: 'min-w-0 @5xl:table-cell @5xl:px-3 @5xl:py-2.5 @5xl:align-middle @5xl:first:ps-4 @5xl:last:pe-4',
    label: 'text-sm text-ink-2 @5xl:hidden',
    cardsOnly: '@5xl:hidden',
  },
  most: {
    table: `${TABLE} @min-[76rem]:table`,
    emptyTable: 'hidden w-full border-collapse text-start @min-[76rem]:table',
    head: 'hidden @min-[76rem]:table-header-group',
    body: 'block @min-[76rem]:table-row-group',
    row: `${ROW} @min-[76rem]:table-row @min-[76rem]:before:hidden @min-[76rem]:h-13 @min-[76rem]:p-0 @min-[76rem]:first:border-t`,
    tallRows: { 2: '@min-[76rem]:h-15.5!', 4: '@min-[76rem]:h-21.25!' },
    cell: 'min-w-0 @min-[76rem]:table-cell @min-[76rem]:px-3 @min-[76rem]:py-2.5 @min-[76rem]:align-middle @min-[76rem]:first:ps-4 @min-[76rem]:last:pe-4',
    label: 'text-sm text-ink-2 @min-[76rem]:hidden',
    cardsOnly: '@min-[76rem]:hidden',
  },
}
