import {
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type QueryResult,
} from 'kysely'
import type { Reader, ReadingProcesses } from './reading-processes.ts'

/** SQLite for Kysely, read in processes of its own. */
export function makeReadingDialect(processes: ReadingProcesses): Dialect {
  return {
    createAdapter: () => new ReadingAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createDriver: () => ({
      init: async () => {},
      acquireConnection: async () => new ReadingConnection(await processes.take()),
      releaseConnection: async (connection) => (connection as ReadingConnection).reader.giveBack(),
      beginTransaction: refuse,
      commitTransaction: refuse,
      rollbackTransaction: refuse,
      destroy: () => processes.close(),
    }),
  }
}

/** SQLite as Kysely knows it has one connection. */
class ReadingAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

async function refuse(): Promise<void> {
  throw new Error('a connection that only reads knows no transactions')
}

class ReadingConnection implements DatabaseConnection {
  readonly reader: Reader

  constructor(reader: Reader) {
    this.reader = reader
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    return { rows: (await this.reader.ask({ sql, parameters })) as Row[] }
  }

  // oxlint-disable-next-line require-yield
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('rows are not streamed here')
  }
}
