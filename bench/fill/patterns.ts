import { COLLECTION_KINDS, TICKET_KINDS, type CollectionKind, type RealOnes, type TicketKind } from './real-ones.ts'
import type { FilledTable, Row } from './row.ts'
import type { TableWriter } from './table-writer.ts'

/** All rows that the product wrote for one thing, by table. */
export type Pattern = Map<FilledTable, Row[]>

export interface Patterns {
  person: Pattern
  collections: Record<CollectionKind, Pattern>
  tickets: Record<TicketKind, Pattern>
}

/** Reads what the product wrote. */
export async function readPatterns(writer: TableWriter, real: RealOnes): Promise<Patterns> {
  const read = async (...parts: [FilledTable, where: string][]): Promise<Pattern> => {
    const pattern: Pattern = new Map()
    for (const [table, where] of parts) pattern.set(table, await writer.read(`select * from ${table} where ${where}`))
    return pattern
  }
  const readCollection = (id: number) =>
    read(
      ['collections', `id = ${id}`],
      ['contents', `collection_id = ${id} order by id`],
      ['comments', `collection_id = ${id} order by id`],
      ['decisions', `collection_id = ${id} order by id`],
      ['submissions', `collection_id = ${id} order by id`],
      ['submission_files', `submission_id in (select id from submissions where collection_id = ${id})`],
      ['proofs', `collection_id = ${id}`],
      // An approval's names no collection; the title does.
      [
        'notifications',
        `user_id = ${real.person} and type like '%_COLLECTION' and title = (select title from collections where id = ${id})`,
      ],
    )
  const readTicket = (id: number) =>
    read(
      ['tickets', `id = ${id}`],
      ['ticket_messages', `ticket_id = ${id} order by id`],
      ['ticket_reads', `ticket_id = ${id} order by user_id`],
      ['notifications', `type = 'ANSWER_TICKET' and path = '${id}'`],
    )
  const readAll = async <Kind extends string>(
    kinds: readonly Kind[],
    ids: Record<Kind, number>,
    readOne: (id: number) => Promise<Pattern>,
  ) => {
    const found = await kinds.reduce(
      async (before, kind) => [...(await before), [kind, await readOne(ids[kind])] as const],
      Promise.resolve<(readonly [Kind, Pattern])[]>([]),
    )
    return Object.fromEntries(found) as Record<Kind, Pattern>
  }
  return {
    person: await read(['users', `id = ${real.person}`]),
    collections: await readAll(COLLECTION_KINDS, real.collections, readCollection),
    tickets: await readAll(TICKET_KINDS, real.tickets, readTicket),
  }
}
