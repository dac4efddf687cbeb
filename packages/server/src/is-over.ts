/** Clocks of several machines differ by less than this. */
export const CLOCKS_DIFFER_MS = 60_000

/**
 * Whether a time that was written down lies so far back. One in the future was written by a clock that ran ahead: waiting
 * for it would take as long as that clock was wrong.
 * @param then And `now`, in milliseconds since 1970-01-01 UTC.
 */
export function isOver(then: number, waitMs: number, now: number): boolean {
  return now - then >= waitMs || then > now + CLOCKS_DIFFER_MS
}
