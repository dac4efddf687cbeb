import { recordEvents, type EventDeps } from '../../events/record-events.ts'
import { bindDecisions } from '../collections/queries.ts'
import { submissionEvents } from './events.ts'
import * as queries from './queries.ts'

/**
 * Originals stand in their places again: what waits and could not be prepared without them is prepared after all.
 * Decisions on it as it was are refused from then on, as what is looked at will be another document.
 * @returns how many there are
 */
export async function prepareAgain(deps: EventDeps, originalKeys: readonly string[]): Promise<number> {
  if (originalKeys.length === 0) return 0
  let begun = 0
  for (const failed of await queries.listFailedWith(deps.db, originalKeys))
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
