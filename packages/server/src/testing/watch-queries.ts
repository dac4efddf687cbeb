import type { KyselyPlugin } from 'kysely'
import type { Db } from '../db/open.ts'

/** The same database, with what was asked of it: kinds of statements in their order, and columns that came back. */
export function watchQueries(db: Db): { db: Db; kinds: string[]; columns: Set<string> } {
  const kinds: string[] = []
  const columns = new Set<string>()
  const compiled = new WeakSet<object>()
  const plugin: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      kinds.push(node.kind)
      compiled.add(queryId)
      return node
    },
    transformResult: async ({ result, queryId }) => {
      // One that was compiled before (`compileOnce`) is only sent.
      if (!compiled.delete(queryId)) kinds.push('CompiledQuery')
      for (const name of result.rows.flatMap((row) => Object.keys(row))) columns.add(name)
      return result
    },
  }
  return { db: db.withPlugin(plugin), kinds, columns }
}
