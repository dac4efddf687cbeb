/** A row as a database gives and takes it. */
export type Row = Record<string, Cell>
export type Cell = string | number | null

/** Tables that are filled, in an order in which what is referred to comes first. */
export const FILLED_TABLES = [
  'users',
  'collections',
  'contents',
  'comments',
  'decisions',
  'submissions',
  'submission_files',
  'proofs',
  'notifications',
  'tickets',
  'ticket_messages',
  'ticket_reads',
] as const
export type FilledTable = (typeof FILLED_TABLES)[number]

export function mustBeNumber(row: Row, column: string): number {
  const value = row[column]
  if (typeof value !== 'number') throw new Error(`${column} holds no number`)
  return value
}

export function mustBeText(row: Row, column: string): string {
  const value = row[column]
  if (typeof value !== 'string') throw new Error(`${column} holds no text`)
  return value
}
