import { rm } from 'node:fs/promises'
import { CertifyError } from '@proofdesk/certify/errors'
import type { PreparedDocument, SourceDocument } from '@proofdesk/certify/types'
import { COLLECTION_MAX_PAGES } from '@proofdesk/contract/limits'
import { sayEnglish } from '@proofdesk/contract/messages'
import { forgetIntent, storeBlob } from '../../blobs/intents.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { recordEvents } from '../../events/record-events.ts'
import { countWaiting } from '../../outbox/queries.ts'
import { bindDecisions } from '../collections/queries.ts'
import { refuseFile } from '../collections/service.ts'
import { reportFound } from '../stored-files/service.ts'
import { announceDocument } from './await-document.ts'
import { digestRecord } from './documents.ts'
import { submissionEvents } from './events.ts'
import * as queries from './queries.ts'
import type { DocumentProblem, SettledDocument, SubmissionToPrepare } from './queries.ts'
import { prepareDocument } from './work.ts'

/** Tries where it cannot be told whether the files or the machine are at fault. */
const MAX_TRIES = 4

/**
 * Makes the review document of a submission that waits, and binds decisions to it (design, section 3, step 0). Files of which
 * none can be made are an answer too; whatever else goes wrong is thrown, to be tried again.
 * @param failures Tries that failed so far.
 */
export async function makeDocument(deps: Deps, submissionId: number, failures: number): Promise<void> {
  const submission = await queries.findToPrepare(deps.db, submissionId)
  if (submission) {
    const outPath = deps.blobs.temporaryPath()
    try {
      const outcome = await prepare(deps, submission, outPath, failures)
      if ('problem' in outcome) await settle(deps, submission, outcome)
      else await storeBlob(deps, 'documents', outPath, (key) => settle(deps, submission, { key, prepared: outcome }))
    } catch (error) {
      // A file that was deleted meanwhile is missing to what nobody waits for any more.
      if (await queries.findToPrepare(deps.db, submissionId)) throw error
    } finally {
      await rm(outPath, { force: true })
    }
    announceDocument(submission.collection_id)
  }
  // After an upgrade many wait at once.
  const { waiting } = await countWaiting(deps.reads, [prepareDocument.kind])
  if (waiting > 1) deps.logger.info('review documents are being prepared', { waiting: waiting - 1 })
}

async function prepare(
  deps: Deps,
  submission: SubmissionToPrepare,
  outPath: string,
  failures: number,
): Promise<PreparedDocument | { problem: DocumentProblem }> {
  const opened: { path: string; release: () => Promise<void> }[] = []
  try {
    const documents: SourceDocument[] = []
    for (const file of submission.files) {
      const local = await deps.blobs.openLocal(file.blob_key)
      opened.push(local)
      const { type, title, file_name: fileName, size: sizeBytes, sha256 } = file
      const isPictured = file.is_pictured === 1
      documents.push({ path: local.path, type, title, fileName, sizeBytes, sha256, isPictured })
    }
    return await deps.certify.prepare({ documents, title: submission.title, outPath, maxPages: COLLECTION_MAX_PAGES })
  } catch (error) {
    const spoiled = await reportOriginal(deps, submission, error, opened.length)
    // It may be put back meanwhile.
    const problem = spoiled && failures + 1 >= MAX_TRIES ? spoiled : findProblem(error, failures)
    if (!problem) throw error
    return { problem }
  } finally {
    for (const local of opened) await local.release()
  }
}

/**
 * An original that is not as it was stored is named to those who look at the collection, and to the operator.
 * @param next That which was to be opened when it failed.
 */
async function reportOriginal(
  deps: Deps,
  { files, collection_id }: SubmissionToPrepare,
  error: unknown,
  next: number,
): Promise<DocumentProblem | undefined> {
  const isMissing = error instanceof AppError && error.code === 'file_missing'
  const isAltered = error instanceof CertifyError && error.code === 'source_changed'
  if (!isMissing && !isAltered) return undefined
  const code = isMissing ? 'file_missing' : 'file_altered'
  const index = isAltered ? (error.document ?? 0) : next
  const key = files[index]?.blob_key
  if (key !== undefined) await reportFound(deps, { kind: 'original', key, collection_id }, code)
  return { file: index, detail: sayEnglish(code) }
}

/** @returns undefined for what may go away by itself. */
function findProblem(error: unknown, failures: number): DocumentProblem | undefined {
  if (!(error instanceof CertifyError)) return undefined
  const { code, document, reason } = error
  if (code === 'document_refused' && reason !== undefined)
    return { file: document ?? null, detail: refuseFile(reason).message }
  if (code === 'build_too_slow') return { file: null, detail: refuseFile('too_slow').message }
  if (code === 'build_too_much_memory') return { file: null, detail: refuseFile('too_much_memory').message }
  const isFilesFault = code === 'build_failed' || code === 'worker_lost'
  return isFilesFault && failures + 1 >= MAX_TRIES
    ? { file: null, detail: refuseFile('unreadable').message }
    : undefined
}

/** @returns false when the submission was decided on, replaced or prepared meanwhile: then nothing points at the file. */
async function settle(deps: Deps, submission: SubmissionToPrepare, outcome: SettledDocument): Promise<boolean> {
  const digest = digestRecord(submission, 'problem' in outcome ? null : outcome.prepared.sha256)
  const bound = { digest, document_state: 'problem' in outcome ? 'failed' : 'ready' } as const
  const collection = { id: submission.collection_id, number: submission.number }
  return recordEvents(deps, async (transaction, emit) => {
    // Whoever decides, deletes or sends again holds the collection too.
    const bearer = await bindDecisions(transaction, collection, 'preparing', bound, deps.now())
    if (!bearer) return false
    await queries.settleDocument(transaction, submission, digest, outcome)
    if (!('problem' in outcome)) await forgetIntent(transaction, outcome.key)
    await emit(submissionEvents.document_settled(bearer))
    return true
  })
}
