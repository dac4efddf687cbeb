import { AUDIT_VIEW_ONCE_MS } from '@proofdesk/contract/limits'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import { CLOCKS_DIFFER_MS } from '../is-over.ts'
import { asksForWhole } from '../http/send-file.ts'
import type { Event } from './event.ts'
import { deleteOtherViews, hasViewWithin, takeView, type ViewSpan } from './queries.ts'
import { recordEvent, recordEvents } from './record-events.ts'

/**
 * Records that somebody is about to see what is not theirs; the same again within a quarter of an hour is not recorded.
 * Before the answer is made: what cannot be recorded is not shown.
 */
export async function recordView(deps: Deps, event: Event): Promise<void> {
  const { actor, object } = event.audit ?? {}
  const seen = event.seen ?? object?.id
  if (typeof actor !== 'number' || typeof seen !== 'number') throw new Error('a view has a person and a thing')
  const key = { actor_id: actor, action: event.name, object_id: seen }
  const at = deps.now()
  const span = findViewSpan(at)
  // Looking costs no place in the queue of those who write.
  if (await hasViewWithin(deps.reads, key, span)) return
  await recordEvents(deps, async (transaction, emit) => {
    if (await takeView(transaction, { ...key, seen_at: at }, span)) await emit(event)
  })
}

/**
 * Records that somebody is about to be sent a file that is not theirs: each that is sent whole; those a viewer fetches in
 * parts, or has already and asks about, as a view.
 */
export async function recordDownload(
  deps: Deps,
  request: FastifyRequest,
  file: { size: number; sha256: string },
  event: Event,
): Promise<void> {
  await (asksForWhole(request, file) ? recordEvent(deps, event) : recordView(deps, event))
}

/** Forgets views that do not matter to the next. Runs every hour. */
export async function sweepViews({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<void> {
  await deleteOtherViews(db, findViewSpan(now()))
}

/** The times of views that stand for one at this time: as `isOver` judges, those of a clock that ran ahead do not. */
function findViewSpan(at: number): ViewSpan {
  return { after: at - AUDIT_VIEW_ONCE_MS, until: at + CLOCKS_DIFFER_MS }
}
