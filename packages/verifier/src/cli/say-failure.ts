/** `fetch` says no more than that it failed, and keeps the reason as the cause. */
export function sayFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}
