import type { PageOf } from '@proofdesk/contract/paging'
import { whyNotSaveReasons, type Viewer } from '@proofdesk/contract/permissions'
import type { saveReason as saveRoute, SavedReason } from '@proofdesk/contract/reviews'
import type { In } from '@proofdesk/contract/route'
import type { Deps } from '../../deps.ts'
import { AppError, refuse } from '../../errors.ts'
import { toWholeList } from '../../http/page-links.ts'
import * as queries from './queries.ts'
import { inTransaction } from '../../db/in-transaction.ts'

export async function listReasons({ reads }: Deps, viewer: Viewer): Promise<PageOf<SavedReason>> {
  refuse(whyNotSaveReasons(viewer))
  return toWholeList(await queries.listReasons(reads, viewer.id))
}

export async function saveReason(
  { db, now }: Deps,
  viewer: Viewer,
  { decision, text }: In<typeof saveRoute, 'body'>,
): Promise<SavedReason> {
  refuse(whyNotSaveReasons(viewer))
  const digest = await crypto.subtle.digest('SHA-256', Buffer.from(text))
  const reason = {
    user_id: viewer.id,
    decision,
    text,
    text_hash: Buffer.from(digest).toString('hex'),
    saved_at: now(),
  }
  return inTransaction(db, (transaction) => queries.saveReason(transaction, reason))
}

/** @throws AppError `reason_not_found` when it is gone, or somebody else's: the two look alike. */
export async function deleteReason({ db }: Deps, viewer: Viewer, id: number): Promise<void> {
  refuse(whyNotSaveReasons(viewer))
  if (!(await queries.deleteReason(db, viewer.id, id))) throw new AppError('reason_not_found')
}
