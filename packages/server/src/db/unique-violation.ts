/** SQLITE_CONSTRAINT_UNIQUE, https://www.sqlite.org/rescode.html */
const SQLITE_UNIQUE = 2067
/** unique_violation, PostgreSQL appendix A. */
const POSTGRES_UNIQUE = '23505'

/** Whether a statement failed because a value that must be unique stands in another row already. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  return code === POSTGRES_UNIQUE || errcode === SQLITE_UNIQUE
}
