/** Clocks of honest machines differ by less. */
const MAX_EARLY_SECONDS = 60

/** An approval is logged at once; a day is room for a log that could reach no witness. */
const MAX_LATE_SECONDS = 24 * 60 * 60

/**
 * What is known of the time of an approval.
 * - `stated`: the issuer states it, nobody else confirms it
 * - `confirmed`: somebody else saw it, at `at`, soon after the stated time
 * - `outside`: somebody else saw it, but not at about the stated time: it existed by `at`, and that is all
 */
export type TimeVerdict = { kind: 'stated' } | { kind: 'confirmed' | 'outside'; at: number }

/**
 * Compares the time that an entry of the log states with the times at which others saw a tree that has it. Who logs today
 * what claims to be a year old is found out by it.
 * @param statedAt Seconds since 1970 UTC, as the others.
 * @param confirmations Of those who are not the issuer; the earliest counts.
 * @see c2sp.org/tlog-proof, "Use of timestamps"
 */
export function judgeTime(statedAt: number, confirmations: readonly number[]): TimeVerdict {
  const at = findFirstSeen(confirmations)
  if (at === undefined) return { kind: 'stated' }
  const late = at - statedAt
  return { kind: late >= -MAX_EARLY_SECONDS && late <= MAX_LATE_SECONDS ? 'confirmed' : 'outside', at }
}

/**
 * When others first saw it.
 * @param confirmations Seconds since 1970 UTC. A cosignature of time 0 says that its maker makes no statement about time.
 * @returns undefined where nobody tells.
 */
export function findFirstSeen(confirmations: readonly number[]): number | undefined {
  const stated = confirmations.filter((time) => time > 0)
  return stated.length === 0 ? undefined : Math.min(...stated)
}
