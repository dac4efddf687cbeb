import {
  SelectQueryNode,
  SqliteAdapter,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type SqliteDatabase,
} from 'kysely'
import { sayOutage } from '../outage.ts'
import type { WalSync } from './wal-sync.ts'

/**
 * SQLite for Kysely, one connection that writes. Commits are not synced one by one: each caller gives the connection to the
 * next, and then waits until what it committed is on the disk, with all who wait for the same.
 * @param walSync Undefined where SQLite syncs each commit by itself.
 */
export function makeWritingDialect(database: SqliteDatabase, walSync: WalSync | undefined): Dialect {
  return {
    createAdapter: () => new SharedAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createDriver: () => new WritingDriver(database, walSync),
  }
}

/** Callers take turns in the driver, which lets the next one go on before the last one's commit is on the disk. */
class SharedAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }

  /** Kysely says no, and would leave half of a step behind who is killed in it; SQLite undoes changes of the schema too. */
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

const TRANSACTION: ReadonlySet<string> = new Set(['begin', 'commit', 'rollback'])

class WritingDriver extends SqliteDriver {
  readonly #walSync: WalSync | undefined
  /** Resolves when the last caller in the line has given the connection back. */
  #line = Promise.resolve()
  #giveOn: () => void = () => {}
  #hasWritten = false

  constructor(database: SqliteDatabase, walSync: WalSync | undefined) {
    super({ database })
    this.#walSync = walSync
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.#line
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#line = promise
    await before
    this.#giveOn = resolve
    const connection = await super.acquireConnection()
    return {
      executeQuery: async <Row>(query: CompiledQuery) => {
        // Whatever is not plainly a question may have written.
        this.#hasWritten ||= !SelectQueryNode.is(query.query) && !TRANSACTION.has(query.sql)
        return connection.executeQuery<Row>(query)
      },
      streamQuery: <Row>(query: CompiledQuery, chunkSize: number) => connection.streamQuery<Row>(query, chunkSize),
    }
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await super.rollbackTransaction(connection)
    this.#hasWritten = false
  }

  override async releaseConnection(): Promise<void> {
    const hasWritten = this.#hasWritten
    this.#hasWritten = false
    this.#giveOn()
    if (!hasWritten) return
    try {
      await this.#walSync?.sync()
    } catch (cause) {
      throw sayOutage(cause)
    }
  }

  override async destroy(): Promise<void> {
    await super.destroy()
    this.#walSync?.close()
  }
}
