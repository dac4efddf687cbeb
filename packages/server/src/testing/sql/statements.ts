import { readUpwards } from './read-upwards.ts'

export const SQL_ENGINES = ['sqlite', 'postgres'] as const
export type SqlEngine = (typeof SQL_ENGINES)[number]

/** A statement that a test made the server send. */
export interface Sent {
  /** Relative to the server's sources. */
  file: string
  /** The function that sends it. */
  sender: string
  engine: SqlEngine
  /** Normalised. */
  sql: string
}

/** The same of all engines. */
export interface Statement extends Omit<Sent, 'engine'> {
  engines: SqlEngine[]
}

/** In an order that is the same on every run. */
export function mergeSent(all: readonly Sent[]): Statement[] {
  const merged = Map.groupBy(all, toKey)
  return [...merged.keys()].toSorted().map((key) => {
    const same = merged.get(key) ?? []
    const [{ file, sender, sql } = { file: '', sender: '', sql: '' }] = same.toSorted((a, b) =>
      a.sql < b.sql ? -1 : 1,
    )
    return { file, sender, sql, engines: SQL_ENGINES.filter((engine) => same.some((one) => one.engine === engine)) }
  })
}

/** A statement whose orders are turned round is the same. */
export function toKey({ file, sender, sql }: Omit<Sent, 'engine'>): string {
  return [file, sender, readUpwards(sql)].join('\n')
}
