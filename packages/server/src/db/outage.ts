import pg from 'pg'
import { AppError } from '../errors.ts'

/** `read_only_sql_transaction`: a primary that became a standby answers on, and the address leads elsewhere by then. */
const READ_ONLY = '25006'
/** PostgreSQL appendix A: connections, resources, operator intervention and system errors, by their class. */
const POSTGRES_OUTAGE_CLASSES = new Set(['08', '53', '57', '58'])
/** In other classes: a lock or a transaction that waited too long, two that waited for each other, a server that only reads. */
const POSTGRES_OUTAGES = new Set(['55P03', '25P03', '40P01', '40001', READ_ONLY])
/** `query_canceled`: also what a statement past its time limit ends with. */
const STATEMENT_TIMEOUT = '57014'
/** A transaction, or its next statement, that took too long. */
const POSTGRES_IDLE_LIMITS = new Set(['25P03', '25P04'])

/**
 * https://www.sqlite.org/rescode.html: BUSY, LOCKED, NOMEM, READONLY, IOERR, FULL, CANTOPEN. The other codes are faults of
 * ours or of the file.
 */
const SQLITE_OUTAGES = new Set([5, 6, 7, 8, 10, 13, 14])
const SQLITE_PRIMARY_CODE = 0xff

/** What callers are told while the database is away, full or too slow; the cause goes to the log. */
export function sayOutage(cause: unknown): AppError {
  return cause instanceof AppError ? cause : new AppError('database_unavailable', { cause })
}

/** The same for reads that may take long by what was asked: past its time limit one tells its caller so. */
export function sayLongRead(cause: unknown): AppError {
  const isTimeout = cause instanceof pg.DatabaseError && cause.code === STATEMENT_TIMEOUT
  return isTimeout ? new AppError('read_timed_out', { cause }) : sayOutage(cause)
}

/** Whether a query failed because PostgreSQL, or the line to it, cannot be used right now, and not because it was wrong. */
export function isPostgresOutage(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) {
    const { code = '' } = error
    return POSTGRES_OUTAGES.has(code) || POSTGRES_OUTAGE_CLASSES.has(code.slice(0, 2))
  }
  // What did not come from the server is a lost or silent connection, or a mistake in what we asked.
  return error instanceof Error && !(error instanceof TypeError || error instanceof RangeError)
}

/**
 * Whether the connection is of no use after this failure. PostgreSQL says the reason first and closes a moment later, and
 * one that never answered may still be busy.
 */
export function endsConnection(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return isPostgresOutage(error)
  const { code = '' } = error
  return code.startsWith('57P') || code.startsWith('08') || code === READ_ONLY || POSTGRES_IDLE_LIMITS.has(code)
}

/** Whether SQLite cannot be used right now: its disk is full, broken or read-only, or somebody else holds the file. */
export function isSqliteOutage(error: unknown): boolean {
  const { errcode } = error as { errcode?: unknown }
  return typeof errcode === 'number' && SQLITE_OUTAGES.has(errcode & SQLITE_PRIMARY_CODE)
}
