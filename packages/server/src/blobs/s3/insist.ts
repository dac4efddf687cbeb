import { setTimeout } from 'node:timers/promises'

/** The first wait between two tries, and the longest, in milliseconds; each is drawn from nothing to twice the one before. */
const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 3000

/** What passes by itself: the store is busy, restarts, or has lost the connection. */
const PASSING_STATUS = new Set([408, 429, 500, 502, 503, 504])
const PASSING_NAMES = new Set([
  'SlowDown',
  'RequestTimeout',
  'InternalError',
  'TimeoutError',
  // Somebody else writes the same key at this moment.
  'ConditionalRequestConflict',
  'OperationAborted',
])
const PASSING_CODES = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'EHOSTUNREACH',
])

/**
 * Sends a request until it is answered. It must be one that may be sent twice.
 * @param attempt Ends by the signal; once it has answered, the signal leaves the body alone.
 * @param patienceMs In all, with every wait between: no attempt begins later.
 * @param leastMs What each attempt that has begun may take all the same.
 * @throws what the last attempt threw
 */
export async function insist<T>(
  patienceMs: number,
  attempt: (signal: AbortSignal) => Promise<T>,
  leastMs = 0,
): Promise<T> {
  const end = performance.now() + patienceMs
  for (let tries = 0; ; tries++) {
    try {
      return await endAt(Math.max(end, performance.now() + leastMs), attempt)
    } catch (error) {
      const wait = Math.random() * Math.min(FIRST_WAIT_MS * 2 ** (tries + 1), LONGEST_WAIT_MS)
      const isWorthIt = isPassing(error) || (tries === 0 && isOfClock(error))
      if (!isWorthIt || performance.now() + wait >= end) throw error
      await setTimeout(wait)
    }
  }
}

async function endAt<T>(end: number, attempt: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const ending = new AbortController()
  const timer = globalThis.setTimeout(() => ending.abort(), Math.max(end - performance.now(), 0))
  try {
    return await attempt(ending.signal)
  } finally {
    clearTimeout(timer)
  }
}

/** What the client knows of a request that failed. */
interface Answered extends Error {
  code?: unknown
  $metadata?: { httpStatusCode?: number; clockSkewCorrected?: boolean }
}

/** Whether trying again makes sense. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, $metadata } = error as Answered
  if (PASSING_NAMES.has(error.name) || PASSING_CODES.has(String(code))) return true
  return $metadata?.httpStatusCode !== undefined && PASSING_STATUS.has($metadata.httpStatusCode)
}

/** Our clock is off, and the client has learned from the answer by how much. */
function isOfClock(error: unknown): boolean {
  const { $metadata } = error as Answered
  return $metadata?.httpStatusCode === 403 && $metadata.clockSkewCorrected === true
}
