import { DatabaseSync } from 'node:sqlite'
import { Kysely, SqliteDialect, type LogEvent } from 'kysely'
import type { DiskReserve } from './disk-reserve.ts'
import { makeWritingDialect } from './group-commit/writing-dialect.ts'
import { openCheckpoints } from './group-commit/checkpoints.ts'
import { openWalSync, syncFile } from './group-commit/wal-sync.ts'
import { makeReadingDialect } from './long-reads/reading-dialect.ts'
import { openReadingProcesses, READING_LIMITS } from './long-reads/reading-processes.ts'
import { toKyselyDatabase } from './node-sqlite.ts'
import { makePgListen, type Listen } from './pg-listen.ts'
import { makePostgresDialect, TIME_LIMITS } from './postgres-pool.ts'
import type { Tables } from './schema.ts'

/** A connection that may write, or a transaction on it. */
export type Db = Kysely<Tables>
export type Engine = 'sqlite' | 'postgres'

export interface OpenDatabase {
  engine: Engine
  /** Writes and transactions. On SQLite there is one such connection: nothing slow may be awaited in a transaction. */
  db: Db
  /** Reads that need not wait for an open transaction; never part of one. */
  reads: Db
  /**
   * Reads that take the longer the more there is. On SQLite they run in processes of their own, so that nothing else
   * waits for them; on PostgreSQL on connections of their own. They end at a deadline with `read_timed_out`. Never part of
   * a transaction.
   */
  longReads: Db
  /** Messages between the processes of an installation; absent on SQLite, where there is one process. */
  listen?: Listen
  close(): Promise<void>
}

/** Is told of each statement when it is done; absent where nobody wants to know. */
export type WatchStatement = (event: LogEvent) => void

/** So long a process waits for another one, such as a command beside the server; from the first statement on, which sets WAL. */
const BUSY_MS = 5000

/**
 * SQLite in a file: WAL, commits on the disk before anybody is answered, one writing connection and one that only reads; long reads run beside.
 * @param reserve Room on its disk for when that is full.
 */
export function openSqlite(path: string, reserve?: DiskReserve, watch?: WatchStatement): OpenDatabase {
  const log = watch && { log: watch }
  reserve?.adjust()
  const writing = new DatabaseSync(path, { timeout: BUSY_MS })
  // Not on every file system: without it SQLite syncs each commit by itself.
  const hasLog = writing.prepare('pragma journal_mode = wal').get()?.['journal_mode'] === 'wal'
  // In this mode SQLite itself syncs before it moves commits into the database: `group-commit` does so after each.
  writing.exec(`pragma synchronous = ${hasLog ? 'normal' : 'full'}; pragma foreign_keys = on`)
  const reading = new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS })
  const checkpoints = hasLog ? openCheckpoints(path, writing) : undefined
  const walSync = checkpoints && openWalSync(path, (file) => syncFile(file).then(checkpoints.look))
  const db = new Kysely<Tables>({ dialect: makeWritingDialect(toKyselyDatabase(writing, reserve), walSync), ...log })
  const reads = new Kysely<Tables>({ dialect: new SqliteDialect({ database: toKyselyDatabase(reading) }), ...log })
  const longReads = new Kysely<Tables>({ dialect: makeReadingDialect(openReadingProcesses(path)), ...log })
  return {
    engine: 'sqlite',
    db,
    reads,
    longReads,
    close: async () => {
      await longReads.destroy()
      await reads.destroy()
      await checkpoints?.close()
      await db.destroy()
    },
  }
}

/** So many long reads of one process at once; others wait for their end. */
const LONG_CONNECTIONS = 4

interface PostgresOptions {
  maxConnections?: number
  timeLimits?: typeof TIME_LIMITS
  watch?: WatchStatement | undefined
}

/** PostgreSQL, or what speaks its protocol, by a `postgres://` address. */
export function openPostgres(
  url: string,
  { maxConnections = 10, timeLimits = TIME_LIMITS, watch }: PostgresOptions = {},
): OpenDatabase {
  const log = watch && { log: watch }
  const db = new Kysely<Tables>({ dialect: makePostgresDialect(url, { maxConnections, timeLimits }), ...log })
  const longLimits = { ...timeLimits, statementMs: Math.min(timeLimits.statementMs, READING_LIMITS.deadlineMs) }
  const longReads = new Kysely<Tables>({
    dialect: makePostgresDialect(url, {
      maxConnections: LONG_CONNECTIONS,
      timeLimits: longLimits,
      isForLongReads: true,
    }),
    ...log,
  })
  return {
    engine: 'postgres',
    db,
    reads: db,
    longReads,
    listen: makePgListen(url),
    close: async () => {
      await longReads.destroy()
      await db.destroy()
    },
  }
}

/** The same for changing its schema: one connection, without limits of time. */
export function openPostgresSchema(url: string): OpenDatabase {
  const db = new Kysely<Tables>({ dialect: makePostgresDialect(url, { maxConnections: 1, timeLimits: undefined }) })
  return { engine: 'postgres', db, reads: db, longReads: db, close: () => db.destroy() }
}
