import { sayEnglish } from '@proofdesk/contract/messages'
import { recordEvents, type EventDeps } from '../../events/record-events.ts'
import { bindDecisions } from '../collections/queries.ts'
import { submissionEvents } from './events.ts'
import { beginDocumentAnew, type FailedSubmission } from './queries.ts'

const OF_SPOILED = [sayEnglish('file_missing'), sayEnglish('file_altered')]

/** Whether it could not be prepared because an original was not as it was stored. */
export function isOfSpoiled({ problem }: FailedSubmission): boolean {
  return problem !== null && OF_SPOILED.includes(problem.detail)
}

/**
 * The originals stand in their places again: what waits and could not be prepared without them is prepared after all.
 * Decisions on it as it was are refused from then on, as what is looked at will be another document.
 * @returns false when it was decided on or replaced meanwhile, or is being prepared by now
 */
export async function prepareAgain(deps: EventDeps, failed: FailedSubmission): Promise<boolean> {
  const collection = { id: failed.collection_id, number: failed.number }
  return recordEvents(deps, async (transaction, emit) => {
    // Whoever decides, deletes or sends again holds the collection too.
    const bound = { digest: null, document_state: 'preparing' } as const
    const bearer = await bindDecisions(transaction, collection, 'failed', bound, deps.now())
    if (!bearer) return false
    await beginDocumentAnew(transaction, failed.id)
    await emit(submissionEvents.document_begun_anew(bearer, failed.id))
    return true
  })
}
