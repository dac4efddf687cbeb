import type { Logger } from '../logger.ts'

const TIMES = {
  /** How long an answer holds, in milliseconds. */
  freshMs: 1000,
  /** A part that has not answered by then counts as away. */
  timeoutMs: 3000,
}

/**
 * Tells whether a part can be used. Anybody may ask, as often as they like: one look is under way at a time, all who ask
 * meanwhile and for a moment after share what came of it, and the log is told of changes alone.
 * @param check Throws what is wrong.
 */
export function openPartCheck(
  part: string,
  check: () => Promise<void>,
  logger: Logger,
  { freshMs, timeoutMs } = TIMES,
): () => Promise<boolean> {
  let looking: Promise<void> | undefined
  let answer: Promise<boolean> | undefined
  let wasWell = true

  async function look(): Promise<void> {
    try {
      await check()
    } finally {
      looking = undefined
    }
  }

  async function isWell(): Promise<boolean> {
    // A disk that hangs holds what asks it: one look that hangs is enough, and is waited for again.
    looking ??= look()
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(new Error('no answer in time')), timeoutMs)
    try {
      await Promise.race([looking, late.promise])
      if (!wasWell) logger.info('ready again', { part })
      wasWell = true
    } catch (error) {
      if (wasWell) logger.fail('not ready', error, { part })
      wasWell = false
    } finally {
      clearTimeout(timer)
    }
    return wasWell
  }

  return () => {
    answer ??= isWell().finally(() => setTimeout(() => (answer = undefined), freshMs).unref())
    return answer
  }
}
