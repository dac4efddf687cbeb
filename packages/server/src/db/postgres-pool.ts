import { PostgresDialect, PostgresDriver, type Driver } from 'kysely'
import type { PostgresDialectConfig, PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import type { AppError } from '../errors.ts'
import { retryCollisions } from './collisions.ts'
import { endsConnection, isPostgresOutage, sayLongRead, sayOutage } from './outage.ts'
import { openStatementNames, type NameStatement } from './prepared-statements.ts'

const BIGINT_OID = 20

/** How long PostgreSQL may keep a caller waiting before it counts as away, in milliseconds. */
export interface TimeLimits {
  /** For a free connection, or for a new one. */
  connectionMs: number
  /** For a lock. */
  lockMs: number
  /** For a statement, locks included. */
  statementMs: number
  /** For any sign of life: a server that hangs, or a line that is cut without a word, keeps no limits of its own. */
  answerMs: number
  /** For the next statement of a transaction. */
  idleInTransactionMs: number
}

/** Three waits for a lock fit into one for a connection: those who wait for a table hold up nobody else for long. */
export const TIME_LIMITS: TimeLimits = {
  connectionMs: 10_000,
  lockMs: 3000,
  statementMs: 15_000,
  answerMs: 20_000,
  idleInTransactionMs: 30_000,
}

export interface PoolOptions {
  maxConnections: number
  /** Undefined for changes of the schema, which take as long as they take. */
  timeLimits: TimeLimits | undefined
  /** A statement that takes too long is then the fault of what was asked, and not an outage. */
  isForLongReads?: boolean
}

/** Connections to a PostgreSQL for Kysely. A lost one ends its query and nothing else. */
export function makePostgresDialect(
  url: string,
  { maxConnections, timeLimits, isForLongReads = false }: PoolOptions,
): PostgresDialect {
  const types = new pg.TypeOverrides()
  // Our bigints are ids and milliseconds, all within 2^53.
  types.setTypeParser(BIGINT_OID, Number)
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    types,
    keepAlive: true,
    connectionTimeoutMillis: (timeLimits ?? TIME_LIMITS).connectionMs,
    ...(timeLimits && {
      query_timeout: timeLimits.answerMs,
      // Not as parameters of the connection: poolers such as PgBouncer refuse those.
      onConnect: (client) => void client.query(sayLimits(timeLimits)).catch(() => {}),
    }),
  })
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  // So would one that breaks in use: the pool listens only to those that lie in it. The query that is under way fails.
  const reasons = new WeakMap<pg.PoolClient, unknown>()
  pool.on('connect', (client) => client.on('error', (reason) => reasons.has(client) || reasons.set(client, reason)))
  return new Dialect({
    pool: isForLongReads
      ? tellOutages(pool, reasons, sayLongRead, undefined)
      : tellOutages(pool, reasons, sayOutage, openStatementNames()),
  })
}

function sayLimits({ statementMs, lockMs, idleInTransactionMs }: TimeLimits): string {
  return [
    `set statement_timeout = ${statementMs}`,
    `set lock_timeout = ${lockMs}`,
    `set idle_in_transaction_session_timeout = ${idleInTransactionMs}`,
  ].join('; ')
}

/** As Kysely's driver says it. */
const BEGIN = /^(?:begin|start transaction)\b/
const END = /^(?:commit|rollback)$/

/**
 * Makes each failure of a connection the one that callers know, and never hands a connection on that is of no use.
 * @param reasons why a connection broke, if that came between two queries: the next one would only say that it broke
 */
function tellOutages(
  pool: pg.Pool,
  reasons: WeakMap<pg.PoolClient, unknown>,
  say: (cause: unknown) => AppError,
  nameStatement: NameStatement | undefined,
): PostgresPool {
  const told = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  return {
    options: pool.options,
    connect: async () => {
      try {
        const client = await pool.connect()
        const known = told.get(client) ?? tellOutagesOf(client, reasons, say, nameStatement)
        told.set(client, known)
        return known
      } catch (cause) {
        throw sayOutage(cause)
      }
    },
    end: () => pool.end(),
  }
}

function tellOutagesOf(
  client: pg.PoolClient,
  reasons: WeakMap<pg.PoolClient, unknown>,
  say: (cause: unknown) => AppError,
  nameStatement: NameStatement | undefined,
): PostgresPoolClient {
  let isUseless = false
  let isInTransaction = false
  return {
    // Kysely's own type has two shapes; cursors are not used here.
    query: (async (sql: string, parameters: unknown[]) => {
      if (BEGIN.test(sql)) isInTransaction = true
      if (END.test(sql)) isInTransaction = false
      const ask = () => client.query({ name: nameStatement?.(sql), text: sql, values: parameters })
      try {
        // One that stands alone is a transaction of its own. What collides in a larger one takes all of it down, and
        // `inTransaction` begins that anew.
        return await (isInTransaction ? ask() : retryCollisions(ask))
      } catch (error) {
        if (!isPostgresOutage(error)) throw error
        if (endsConnection(error)) isUseless = true
        throw say(reasons.get(client) ?? error)
      }
    }) as unknown as PostgresPoolClient['query'],
    release: (isDiscarded) => client.release(isDiscarded === true || isUseless),
  }
}

class Dialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig

  constructor(config: PostgresDialectConfig) {
    super(config)
    this.#config = config
  }

  override createDriver(): Driver {
    return new ForgivingDriver(this.#config)
  }
}

type RolledBack = Parameters<PostgresDriver['rollbackTransaction']>[0]

class ForgivingDriver extends PostgresDriver {
  /** Where it fails the connection is discarded, and with it the transaction: what the caller must read is why it failed. */
  override async rollbackTransaction(connection: RolledBack): Promise<void> {
    await super.rollbackTransaction(connection).catch(() => {})
  }
}
