import type { Row } from './row-digest.ts'
import type { TableShape } from './table-shapes.ts'

/** A database as it is at one moment. */
export interface ReadSide {
  /** Names of the steps its schema has taken, in their order. */
  steps(): Promise<string[]>
  /** Of all tables that are copied. @throws CopyFailure for a type that is not known. */
  shapes(): Promise<TableShape[]>
  /** Few at a time, so that a large table needs no more memory than a small one. */
  rows(shape: TableShape): AsyncIterable<Row[]>
  /** The highest id that was ever given in each table that counts its own: none of them comes again. */
  lastIds(): Promise<Map<string, number>>
}

/**
 * A database that is filled in one transaction, empty when it begins. What runs before a row is written guards it, and is
 * off meanwhile; what runs after it keeps counts and search indexes, and stays on.
 */
export interface WriteSide extends ReadSide {
  write(shape: TableShape, rows: readonly Row[]): Promise<void>
  setLastId(table: string, id: number): Promise<void>
  /** Facts of the installation: null takes one away. */
  setFact(name: string, value: string | null): Promise<void>
}

/** Rows written at once, at most, and about so many characters or bytes of them. */
export const ROWS_AT_ONCE = 1000
export const SIZE_AT_ONCE = 1 << 20
