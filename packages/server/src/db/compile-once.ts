import type { Compilable, CompiledQuery } from 'kysely'
import type { Db } from './open.ts'

/** Stands for a value while a query is compiled. */
class Given {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** As far as the query is concerned they are the values themselves. */
const GIVEN = new Proxy({}, { get: (_, name) => new Given(String(name)) })

/**
 * A query whose text never changes: it is built and compiled at its first use on each database, which takes longer than a look-up
 * by key. Values may stand only where a parameter may, so no list of values and no null.
 * @param build Puts the query together; it gets no values yet, and what it would decide by them it cannot.
 */
export function compileOnce<Values extends object, Row>(
  build: (db: Db, given: Values) => Compilable<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  // By what a database and its transactions have in common.
  const compiled = new WeakMap<object, CompiledQuery<Row>>()
  // Without a name: in docs/sql a statement stands under the function that asks for it.
  return async (db, values) => {
    const { adapter } = db.getExecutor()
    let query = compiled.get(adapter)
    if (query === undefined) compiled.set(adapter, (query = build(db, GIVEN as Values).compile()))
    const parameters = query.parameters.map((one) => (one instanceof Given ? values[one.name as keyof Values] : one))
    return (await db.executeQuery<Row>({ ...query, parameters })).rows
  }
}
