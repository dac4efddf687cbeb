/** The name that a statement is prepared by on each connection; undefined for one that is sent as it is. */
export type NameStatement = (sql: string) => string | undefined

/** What is sent once only is not worth keeping. */
const SENT_BEFORE = 1
/** Each connection keeps them all. Texts are the code's own, but a list of ids has as many forms as lengths. */
export const MOST_PREPARED = 500

/**
 * Names what is sent again, for one pool. PostgreSQL then reads it once for each connection, and stops planning it anew
 * once five plans in a row were no better than one for all values: most of what a short statement costs.
 */
export function openStatementNames(): NameStatement {
  const known = new Map<string, { name: string; sent: number }>()
  return (sql) => {
    const statement = known.get(sql)
    if (statement) return statement.sent++ < SENT_BEFORE ? undefined : statement.name
    if (known.size < MOST_PREPARED) known.set(sql, { name: `s${known.size}`, sent: 1 })
    return undefined
  }
}
