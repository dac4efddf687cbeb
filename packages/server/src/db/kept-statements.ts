import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** Preparing costs as much as a small query, and the product's query shapes are few. */
const STATEMENTS_KEPT = 300

/** Prepares each text once. @param set Is done once to each that is prepared. */
export function keepStatements<Kept>(db: DatabaseSync, set: (statement: StatementSync) => Kept): (sql: string) => Kept {
  const kept = new Map<string, Kept>()
  return (sql) => {
    const statement = kept.get(sql) ?? set(db.prepare(sql))
    // The one used last goes to the end, so that lists of every length push out only what nobody uses.
    kept.delete(sql)
    kept.set(sql, statement)
    const [leastUsed] = kept.keys()
    if (kept.size > STATEMENTS_KEPT && leastUsed !== undefined) kept.delete(leastUsed)
    return statement
  }
}
