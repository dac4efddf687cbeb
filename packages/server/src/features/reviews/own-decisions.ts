import { PAGE_SIZE } from '@proofdesk/contract/limits'
import type { PageOf } from '@proofdesk/contract/paging'
import { isReviewer, type Viewer } from '@proofdesk/contract/permissions'
import type { OwnDecision } from '@proofdesk/contract/reviews'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { showPage } from '../../http/page-links.ts'
import { countDecidedBy, listDecidedBy } from '../submissions/queries.ts'

/**
 * What the viewer has decided, the newest first: the way back to what was decided by mistake, or is asked about.
 * @param address Path and query of the request.
 * @throws AppError `forbidden` for everyone but reviewers; `page_not_found` past the end.
 */
export async function listOwnDecisions(
  { reads }: Deps,
  viewer: Viewer,
  page: number,
  address: string,
): Promise<PageOf<OwnDecision>> {
  if (!isReviewer(viewer)) throw new AppError('forbidden')
  const count = await countDecidedBy(reads, viewer.id)
  return showPage(address, page, count, async () => {
    const rows = await listDecidedBy(reads, viewer.id, (page - 1) * PAGE_SIZE)
    return rows.map(({ decided_at, ...row }) => ({ ...row, decided_at: new Date(decided_at).toISOString() }))
  })
}
