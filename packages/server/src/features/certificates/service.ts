import type { listServerContents as listRoute, ServerContent } from '@proofdesk/contract/certificates'
import type { PageOf, SearchPageOf } from '@proofdesk/contract/paging'
import { canReadPrivateTexts, seesAllCollections, type Viewer } from '@proofdesk/contract/permissions'
import type { ProofChange } from '@proofdesk/contract/proof-changes'
import type { In } from '@proofdesk/contract/route'
import type { FastifyRequest } from 'fastify'
import { all, chooseReads, everything, toOrder } from '../../db/list.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { recordDownload } from '../../events/record-view.ts'
import { awaitTurn } from '../../http/one-a-turn.ts'
import { showFound, showPage, toWholeList } from '../../http/page-links.ts'
import { listChanges } from './changes/queries.ts'
import { certificateEvents } from './events.ts'
import { findVisible } from './find-visible.ts'
import { macClaim, macSeal, mustBeClaimedByUs, mustBeSealedByUs } from './proof-mac.ts'
import * as queries from './queries.ts'
import type { ProofRecord } from './queries.ts'
import { isVisibleTo, listSought, matchesSearch } from './search-filter.ts'
import { listFoundIds } from './search/queries.ts'
import { toServerContent } from './to-server-content.ts'
import type { CertifiedFile } from './send-certified.ts'
import { toStoredFile } from './to-stored-file.ts'

export { explainRow } from './explain-row.ts'
export { explainStored, judgeStored } from './judge-stored.ts'
export { openApproval } from './open-approval.ts'
export { stateApproval, toProofFields } from './state-approval.ts'
export { stateChange } from './changes/state-change.ts'
export { toVerdictFacts } from './to-server-content.ts'
export { macClaim, macSeal, mustBeClaimedByUs, mustBeSealedByUs }

/**
 * A page of certified PDFs: everyone's for staff and superuser, one's own for all others; expired ones too.
 * @param address Path and query of the request, for the links to the neighbours.
 * @throws AppError `page_not_found` past the end, `read_timed_out`.
 */
export async function listServerContents(
  deps: Deps,
  viewer: Viewer,
  query: In<typeof listRoute, 'query'>,
  address: string,
): Promise<SearchPageOf<ServerContent>> {
  const { reads } = deps
  const { page, search, ordering = '-created_at' } = query
  const condition = all([isVisibleTo(viewer), ...(search?.trim() ? [matchesSearch(search, viewer)] : [])])
  const at = deps.now()
  if (seesAllCollections(viewer)) await awaitTurn()
  const show = (proofs: ProofRecord[]) => proofs.map((proof) => toServerContent(proof, viewer, at))
  // One's own are few.
  if (search?.trim() && seesAllCollections(viewer)) {
    const ids = await listFoundIds(deps, listSought(search), condition, toOrder(ordering))
    return showFound(address, page, ids, async (found) => show(await queries.listByIds(reads, found)))
  }
  const count =
    condition === everything ? await queries.countAllPublished(reads) : await queries.countPublished(reads, condition)
  return showPage(address, page, count, async (cut) =>
    show(await queries.listPublished(chooseReads(deps, cut), condition, toOrder(ordering), cut)),
  )
}

/** @throws AppError `proof_not_found` when there is none, or it is not in the viewer's list. */
export async function showServerContent(deps: Deps, viewer: Viewer, proofid: string): Promise<ServerContent> {
  return toServerContent(await findVisible(deps.reads, viewer, proofid), viewer, deps.now())
}

/**
 * A certified PDF, to be sent to somebody who may see it; that others than its owner got it is recorded.
 * @throws AppError `proof_not_found` when there is none, or it is not in the viewer's list; `proof_altered`.
 */
export async function openServerContent(
  deps: Deps,
  viewer: Viewer,
  givenProofId: string,
  request: FastifyRequest,
): Promise<CertifiedFile> {
  const { reads, secrets } = deps
  const proof = await findVisible(reads, viewer, givenProofId)
  const file = toStoredFile(secrets, proof, 'inline')
  if (!file) throw new AppError('proof_not_found')
  if (proof.owner_id !== viewer.id)
    await recordDownload(deps, request, file, certificateEvents.certificate_downloaded(viewer.id, proof))
  return file
}

/**
 * What was changed about a proof, oldest first.
 * @throws AppError `proof_not_found` when there is none, or it is not in the viewer's list.
 */
export async function listProofChanges(deps: Deps, viewer: Viewer, proofid: string): Promise<PageOf<ProofChange>> {
  const proof = await findVisible(deps.reads, viewer, proofid)
  return toWholeList(await listChanges(deps.reads, proof.id, canReadPrivateTexts(viewer, proof)))
}
