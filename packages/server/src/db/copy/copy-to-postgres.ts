import { copyAndCompare, type CopiedTable, type TellTable } from './copy-rows.ts'
import type { ReadSide } from './database-sides.ts'
import { fillPostgres, withConnection } from './postgres-side.ts'

/**
 * Puts a database in the place of all that is in a PostgreSQL of the same schema, reads it again and compares, in one
 * transaction: what breaks off leaves it as it was.
 * @param facts Of the installation, that are others there; null for none.
 * @throws CopyFailure
 */
export async function copyToPostgres(
  from: ReadSide,
  url: string,
  facts: Record<string, string | null>,
  tell: TellTable,
): Promise<CopiedTable[]> {
  return withConnection(url, async (client) => {
    const copied = await fillPostgres(client, async (side) => {
      const tables = await copyAndCompare(from, side, tell)
      for (const [name, value] of Object.entries(facts)) await side.setFact(name, value)
      return tables
    })
    // It knows nothing of what came at once, and would look for rows the long way.
    await client.query('analyze')
    return copied
  })
}
