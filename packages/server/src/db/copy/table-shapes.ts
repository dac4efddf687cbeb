/** What a column holds, on both engines. */
export type Kind = 'number' | 'text' | 'bytes'

/** A table as the catalogue of its database describes it: nothing about it is written down anywhere else. */
export interface TableShape {
  name: string
  /** By name. */
  columns: { name: string; kind: Kind }[]
  /** Tables that its rows point at. */
  needs: string[]
}

/** The database is not what can be copied, or copied to; the message is for the operator. */
export class CopyFailure extends Error {
  override readonly name = 'CopyFailure'
}

/**
 * What is not copied: triggers make it of the rows that are (counts, search indexes), or it belongs to one database
 * alone. Every other table is, whichever step of the schema made it.
 */
export const LEFT_OUT: ReadonlySet<string> = new Set([
  'collection_counts',
  'proof_counts',
  'ticket_counts',
  'user_counts',
  'collection_grams',
  'proof_grams',
  'ticket_grams',
  'user_grams',
  // What limits count for the moment; SQLite has none.
  'limit_counts',
  'kysely_migration',
  'kysely_migration_lock',
])

/** Tables so that each comes after those that its rows point at. @throws CopyFailure for two that point at each other. */
export function sortByNeeds(shapes: readonly TableShape[]): TableShape[] {
  const waiting = new Map(shapes.map((shape) => [shape.name, shape]))
  const sorted: TableShape[] = []
  while (waiting.size > 0) {
    const ready = [...waiting.values()].filter(({ needs }) => !needs.some((name) => waiting.has(name)))
    if (ready.length === 0) throw new CopyFailure(`tables that need each other: ${[...waiting.keys()].join(', ')}`)
    for (const shape of ready.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      sorted.push(shape)
      waiting.delete(shape.name)
    }
  }
  return sorted
}

/** @returns what two databases of one schema do not have alike, in words; nothing when all is well. */
export function compareShapes(from: readonly TableShape[], to: readonly TableShape[]): string[] {
  const say = (shapes: readonly TableShape[]) =>
    new Map(
      shapes.flatMap(({ name, columns }) => [
        [name, 'a table'] as const,
        ...columns.map((column) => [`${name}.${column.name}`, column.kind] as const),
      ]),
    )
  const [here, there] = [say(from), say(to)]
  return [...new Set([...here.keys(), ...there.keys()])]
    .filter((name) => here.get(name) !== there.get(name))
    .map((name) => `${name} is ${here.get(name) ?? 'missing'} here and ${there.get(name) ?? 'missing'} there`)
}
