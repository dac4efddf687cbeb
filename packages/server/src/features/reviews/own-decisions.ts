import type { SearchPageOf } from '@proofdesk/contract/paging'
import { isReviewer, type Viewer } from '@proofdesk/contract/permissions'
import type { OwnDecision } from '@proofdesk/contract/reviews'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { showFound } from '../../http/page-links.ts'
import { listDecidedByIds, listDecidedIds } from '../submissions/decided/queries.ts'

/**
 * What the viewer has decided, the newest first: the way back to what was decided by mistake, or is asked about. As of a
 * search, at most a thousand are counted: nobody's decisions are bounded by anything.
 * @param address Path and query of the request.
 * @throws AppError `forbidden` for everyone but reviewers; `page_not_found` past the end.
 */
export async function listOwnDecisions(
  { reads }: Deps,
  viewer: Viewer,
  page: number,
  address: string,
): Promise<SearchPageOf<OwnDecision>> {
  if (!isReviewer(viewer)) throw new AppError('forbidden')
  return showFound(address, page, await listDecidedIds(reads, viewer.id), async (ids) => {
    const rows = await listDecidedByIds(reads, ids)
    return rows.map(({ collection, title, username, submission, outcome, decided_at: at }) => ({
      collection,
      title,
      username,
      submission,
      outcome,
      decided_at: new Date(at).toISOString(),
    }))
  })
}
