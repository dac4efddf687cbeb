import type { KyselyPlugin } from 'kysely'
import type { Db } from '../db/open.ts'

/** The same database, with what was asked of it: kinds of statements in their order, and columns that came back. */
export function watchQueries(db: Db): { db: Db; kinds: string[]; columns: Set<string> } {
  const kinds: string[] = []
  const columns = new Set<string>()
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      kinds.push(node.kind)
      return node
    },
    transformResult: async ({ result }) => {
      for (const name of result.rows.flatMap((row) => Object.keys(row))) columns.add(name)
      return result
    },
  }
  return { db: db.withPlugin(plugin), kinds, columns }
}
