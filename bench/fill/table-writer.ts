import type { Cell, FilledTable, Row } from './row.ts'

/** Adds rows to the tables of an instance that no server works on. What the tables' triggers keep, they keep. */
export interface TableWriter {
  read(sql: string): Promise<Row[]>
  /** @param rows Each with a value for each of `columns`, in that order. */
  insert(table: FilledTable, columns: readonly string[], rows: readonly (readonly Cell[])[]): Promise<void>
  run(sql: string): Promise<void>
  /** Makes all that was inserted stand, and new ids follow those that were inserted. */
  finish(): Promise<void>
  close(): Promise<void>
}
