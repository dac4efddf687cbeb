/** Preparing costs as much as a small query, and the product's query shapes are few. */
const STATEMENTS_KEPT = 300

/** Prepares each text once. */
export function keepStatements<Kept>(prepare: (sql: string) => Kept): (sql: string) => Kept {
  const kept = new Map<string, Kept>()
  return (sql) => {
    const statement = kept.get(sql) ?? prepare(sql)
    // The one used last goes to the end, so that lists of every length push out only what nobody uses.
    kept.delete(sql)
    kept.set(sql, statement)
    const [leastUsed] = kept.keys()
    if (kept.size > STATEMENTS_KEPT && leastUsed !== undefined) kept.delete(leastUsed)
    return statement
  }
}
