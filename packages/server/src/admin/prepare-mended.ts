import type { BlobStore } from '../blobs/blob-store.ts'
import type { EventDeps } from '../events/record-events.ts'
import { judgeFile } from '../features/stored-files/judge-file.ts'
import { isOfSpoiled, prepareAgain } from '../features/submissions/prepare-again.ts'
import { listFailed, type FailedSubmission } from '../features/submissions/queries.ts'

/** What is known of the stored files by now. */
export interface JudgedFiles {
  /** Keys of all that were looked at. */
  looked: ReadonlySet<string>
  /** Of those that are not as they were stored. */
  spoiled: ReadonlySet<string>
  /** Of those that were put back. */
  mended: ReadonlySet<string>
}

/** Prepares submissions that failed for want of an original, each once all of its originals are well. */
export interface Preparing {
  /** Of those that had failed when it was begun. @returns how many are prepared now */
  prepareWith(key: string): Promise<number>
  /** Of all, also what an earlier mending that was broken off has left. @returns how many are prepared now */
  prepareAll(): Promise<number>
}

export async function openPreparing(deps: EventDeps, blobs: BlobStore, judged: JudgedFiles): Promise<Preparing> {
  // One look is enough for many files.
  const first = await listFailed(deps.db)

  async function areWell({ originals }: FailedSubmission): Promise<boolean> {
    for (const file of originals) {
      if (judged.spoiled.has(file.key)) return false
      if (!judged.looked.has(file.key) && (await judgeFile(blobs, file)) !== undefined) return false
    }
    return true
  }

  async function prepare(failed: readonly FailedSubmission[]): Promise<number> {
    let begun = 0
    for (const submission of failed) {
      const isConcerned = isOfSpoiled(submission) || submission.originals.some(({ key }) => judged.mended.has(key))
      if (isConcerned && (await areWell(submission)) && (await prepareAgain(deps, submission))) begun += 1
    }
    return begun
  }

  return {
    prepareWith: (wanted) => prepare(first.filter(({ originals }) => originals.some(({ key }) => key === wanted))),
    prepareAll: async () => prepare(await listFailed(deps.db)),
  }
}
