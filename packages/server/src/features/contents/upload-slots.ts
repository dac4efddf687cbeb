import { UPLOADS_PER_USER } from '@proofdesk/contract/limits'
import { AppError } from '../../errors.ts'

/** An upload takes seconds; whoever comes back sooner would only come in vain. */
const RETRY_AFTER_SECONDS = 2

/** Counts the uploads under way, so that one person's files take neither all the disk nor everybody's turn. */
export interface UploadSlots {
  /** @throws AppError `too_many_uploads`, before anything of the upload is read; otherwise what `work` gives or throws. */
  hold<Result>(userId: number, work: () => Promise<Result>): Promise<Result>
}

/** Counts in this process's memory, as the parsing processes are this process's. */
export function openUploadSlots(): UploadSlots {
  const taken = new Map<number, number>()
  return {
    async hold(userId, work) {
      const before = taken.get(userId) ?? 0
      if (before >= UPLOADS_PER_USER) throw new AppError('too_many_uploads', { retryAfterSeconds: RETRY_AFTER_SECONDS })
      taken.set(userId, before + 1)
      try {
        return await work()
      } finally {
        const left = (taken.get(userId) ?? 1) - 1
        if (left > 0) taken.set(userId, left)
        else taken.delete(userId)
      }
    },
  }
}
