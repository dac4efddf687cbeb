import { tendFeatures } from '../app.ts'
import { checkCountsAtStart, foldAllCounts } from '../counts/keep-counts.ts'
import type { Deps } from '../deps.ts'
import { doEach } from '../do-each.ts'

/** How long a count looks at single rows that have expired, at most. */
const TEND_EVERY_MS = 5000

/** Keeps up, for as long as the server runs, what follows from time alone. @returns what stops it, once it has ended */
export function startTending(deps: Deps): () => Promise<void> {
  const stopping = new AbortController()
  let tending = checkCountsAtStart(deps, stopping.signal)
  let isTending = true
  void tending.finally(() => {
    isTending = false
  })
  const tend = () => {
    if (isTending) return
    isTending = true
    tending = tendOnce(deps)
      .catch((error: unknown) => deps.logger.fail('tending failed', error))
      .finally(() => {
        isTending = false
      })
  }
  const timer = setInterval(tend, TEND_EVERY_MS)
  return async () => {
    clearInterval(timer)
    stopping.abort()
    await tending
  }
}

/** Counts are folded whatever fails before: what is only added to makes each of them slower. */
export async function tendOnce(deps: Deps): Promise<void> {
  await doEach([() => tendFeatures(deps), () => foldAllCounts(deps)])
}
