import type { PageOf } from '@proofdesk/contract/paging'
import { whyNotSaveReasons, type Viewer } from '@proofdesk/contract/permissions'
import type { saveReason as saveRoute, SavedReason } from '@proofdesk/contract/reviews'
import type { In } from '@proofdesk/contract/route'
import type { Deps } from '../../deps.ts'
import { AppError, refuse } from '../../errors.ts'
import { toWholeList } from '../../http/page-links.ts'
import * as queries from './queries.ts'
import { recordEvents } from '../../events/record-events.ts'

export async function listReasons({ reads }: Deps, viewer: Viewer): Promise<PageOf<SavedReason>> {
  refuse(whyNotSaveReasons(viewer))
  return toWholeList(await queries.listReasons(reads, viewer.id))
}

/** Recorded nowhere; but nothing is kept of who was shut out, or erased, since they asked. @throws AppError as `recordEvents` */
export async function saveReason(
  deps: Deps,
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
    saved_at: deps.now(),
  }
  return recordEvents(deps, (transaction) => queries.saveReason(transaction, reason))
}

/** @throws AppError `reason_not_found` when it is gone, or somebody else's: the two look alike. */
export async function deleteReason(deps: Deps, viewer: Viewer, id: number): Promise<void> {
  refuse(whyNotSaveReasons(viewer))
  const isDeleted = await recordEvents(deps, (transaction) => queries.deleteReason(transaction, viewer.id, id))
  if (!isDeleted) throw new AppError('reason_not_found')
}
