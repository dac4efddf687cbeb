import { recordEvents, type EventDeps } from '../../events/record-events.ts'
import { bindDecisions } from '../collections/queries.ts'
import { submissionEvents } from './events.ts'
import * as queries from './queries.ts'

/** Of one statement: databases take so many values and no more, and a whole disk may have been lost. */
const KEYS_AT_ONCE = 500

/**
 * Originals stand in their places again: what waits and could not be prepared without them is prepared after all.
 * Decisions on it as it was are refused from then on, as what is looked at will be another document.
 * @returns how many there are
 */
export async function prepareAgain(deps: EventDeps, originalKeys: readonly string[]): Promise<number> {
  let begun = 0
  for (let at = 0; at < originalKeys.length; at += KEYS_AT_ONCE)
    for (const failed of await queries.listFailedWith(deps.db, originalKeys.slice(at, at + KEYS_AT_ONCE)))
      if (await beginAnew(deps, failed)) begun += 1
  return begun
}

async function beginAnew(deps: EventDeps, failed: queries.FailedSubmission): Promise<boolean> {
  const collection = { id: failed.collection_id, number: failed.number }
  return recordEvents(deps, async (transaction, emit) => {
    // Whoever decides, deletes or sends again holds the collection too.
    const bound = { digest: null, document_state: 'preparing' } as const
    const bearer = await bindDecisions(transaction, collection, bound, deps.now())
    if (!bearer || !(await queries.beginDocumentAnew(transaction, failed.id))) return false
    await emit(submissionEvents.document_begun_anew(bearer, failed.id))
    return true
  })
}
