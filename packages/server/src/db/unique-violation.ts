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

/** Runs a transaction once more where another took at the same moment what only one may have: now it is there to be seen. */
export async function againIfTaken<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (isUniqueViolation(error)) return run()
    throw error
  }
}
