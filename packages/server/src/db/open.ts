import { DatabaseSync } from 'node:sqlite'
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely'
import pg from 'pg'
import { toKyselyDatabase } from './node-sqlite.ts'
import { makePgListen, type Listen } from './pg-listen.ts'
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
  /** Messages between the processes of an installation; absent on SQLite, where there is one process. */
  listen?: Listen
  close(): Promise<void>
}

/** SQLite in a file: WAL, fsynced commits, one writing connection and one that only reads. */
export function openSqlite(path: string): OpenDatabase {
  const writing = new DatabaseSync(path)
  writing.exec(
    'pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma busy_timeout = 5000',
  )
  const reading = new DatabaseSync(path, { readOnly: true })
  reading.exec('pragma busy_timeout = 5000')
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: toKyselyDatabase(writing) }) })
  const reads = new Kysely<Tables>({ dialect: new SqliteDialect({ database: toKyselyDatabase(reading) }) })
  return {
    engine: 'sqlite',
    db,
    reads,
    close: async () => {
      await reads.destroy()
      await db.destroy()
    },
  }
}

const BIGINT_OID = 20

/** PostgreSQL, or what speaks its protocol, by a `postgres://` address. */
export function openPostgres(url: string, maxConnections = 10): OpenDatabase {
  const types = new pg.TypeOverrides()
  // Our bigints are ids and milliseconds, all within 2^53.
  types.setTypeParser(BIGINT_OID, Number)
  const pool = new pg.Pool({ connectionString: url, max: maxConnections, types, connectionTimeoutMillis: 5000 })
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  return { engine: 'postgres', db, reads: db, listen: makePgListen(url), close: () => db.destroy() }
}
