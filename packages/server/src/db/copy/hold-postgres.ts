import type pg from 'pg'
import { withConnection } from './postgres-side.ts'
import { CopyFailure } from './table-shapes.ts'

/** A PostgreSQL that one run fills, and no other meanwhile. */
export interface HeldPostgres {
  /** @throws where the connection, and so the hold, was lost meanwhile */
  mustHold(): Promise<void>
  /** It ends by itself with the process. */
  close(): Promise<void>
}

/**
 * Holds a database for as long as it is filled, by an advisory lock on a connection of its own: two runs with the same words
 * carry the same mark, and the first to end would let a server in while the other writes.
 * @throws CopyFailure where another run holds it
 */
export async function holdPostgres(url: string): Promise<HeldPostgres> {
  const held = Promise.withResolvers<pg.Client>()
  const released = Promise.withResolvers<void>()
  const ended = withConnection(url, async (client) => {
    const { rows } = await client.query<{ is_held: boolean }>(
      'select pg_try_advisory_lock(hashtext($1), hashtext(current_schema())) as is_held',
      ['filled with an installation of Proofdesk'],
    )
    if (!rows[0]?.is_held) throw new CopyFailure('another run fills it at this moment')
    held.resolve(client)
    await released.promise
  })
  ended.catch(held.reject)
  const client = await held.promise
  return {
    mustHold: async () => {
      await client.query('select 1')
    },
    close: () => {
      released.resolve()
      return ended
    },
  }
}
