import type { Deps } from '../deps.ts'
import { HOUR, type Limit } from '../http/limit.ts'
import { defineEvents, type Event } from './event.ts'
import { recordEvents } from './record-events.ts'

/** Entries about failures, of the whole installation. Key: `all`. */
export const RECORDED_FAILURES: Limit = { name: 'recorded_failures', points: 1000, duration: HOUR }

export const failureEvents = defineEvents({
  failures_unlisted: () => ({ audit: { actor: null, object: { kind: 'installation', id: null } } }),
})

/**
 * Records a failure that strangers can cause. The limits bound what one of them causes; so that many together do not fill
 * the disk either, an installation keeps no more than 1,000 an hour: where that ends, one entry says so.
 * @param others Happen beside it whether or not it is kept.
 */
export async function recordFailure(deps: Deps, failure: Event, ...others: Event[]): Promise<void> {
  const tally = await deps.limits.tally({ limit: RECORDED_FAILURES, key: 'all' })
  const kept = { within: [failure], last: [failure, failureEvents.failures_unlisted()], beyond: [] }[tally]
  const events = [...kept, ...others]
  if (events.length === 0) return
  await recordEvents(deps, async (_transaction, emit) => {
    for (const event of events) await emit(event)
  })
}
