import type pg from 'pg'
import { migrate } from '../migrate.ts'
import { openPostgresSchema } from '../open.ts'
import { holdsForeignTables, withTransaction, withConnection } from './postgres-side.ts'
import { CopyFailure } from './table-shapes.ts'

/**
 * Makes the schema in a PostgreSQL with nothing in it, and marks it as being filled; of two at once one does.
 * @param fact What the mark is called among the facts of an installation.
 * @param mark That of this filling: one that broke off may begin anew.
 * @throws CopyFailure where anything else is.
 */
export async function claimPostgres(url: string, fact: string, mark: string): Promise<void> {
  await withConnection(url, async (client) => {
    if (await holdsForeignTables(client)) throw new CopyFailure('it holds tables that are not of Proofdesk')
  })
  const schema = openPostgresSchema(url)
  try {
    await migrate(schema)
  } finally {
    await schema.close()
  }
  await withConnection(url, (client) => withTransaction(client, '', () => claim(client, fact, mark)))
}

async function claim(client: pg.Client, fact: string, mark: string): Promise<void> {
  // A server that starts meanwhile writes its first facts before, and is found, or after, and finds the mark.
  await client.query('lock table instance in share row exclusive mode')
  const { rows } = await client.query<{ name: string; value: string }>('select name, value from instance')
  const begun = rows.find(({ name }) => name === fact)?.value
  if (begun === mark) return
  if (begun !== undefined) throw new CopyFailure('it was half filled with something else: make an empty one')
  const { rowCount: people } = await client.query('select 1 from users limit 1')
  if (rows.length > 0 || people !== 0) throw new CopyFailure('it holds an installation already')
  await client.query('insert into instance (name, value) values ($1, $2)', [fact, mark])
}

/** Takes the mark away: from here on it may be served. */
export async function releasePostgres(url: string, fact: string): Promise<void> {
  await withConnection(url, (client) => client.query('delete from instance where name = $1', [fact]))
}
