import { certifiedFileName, serveServerContent } from '@proofdesk/contract/certificates'
import type { listServerContents as listRoute, ProofDetails, ServerContent } from '@proofdesk/contract/certificates'
import type { SearchPageOf } from '@proofdesk/contract/paging'
import { seesAllCollections, type Viewer } from '@proofdesk/contract/permissions'
import { API_BASE, type In } from '@proofdesk/contract/route'
import { readProofId } from '@proofdesk/proof/proof-id'
import type { FastifyRequest } from 'fastify'
import { all, chooseReads, everything, toOrder } from '../../db/list.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { foldCase } from '../../text/fold-case.ts'
import { recordDownload } from '../../events/record-view.ts'
import { byClient } from '../../http/limits.ts'
import { showFound, showPage } from '../../http/page-links.ts'
import type { StoredFile } from '../../http/send-file.ts'
import { listContents } from '../contents/queries.ts'
import { certificateEvents } from './events.ts'
import { isEqualText } from './equal-text.ts'
import { macClaim, macSeal, mustBeClaimedByUs, mustBeSealedByUs } from './proof-mac.ts'
import * as queries from './queries.ts'
import type { ProofRecord } from './queries.ts'
import { PROOF_MISS_ADDRESS, PROOF_MISS_PROOF_ID } from './limits.ts'
import { isVisibleTo, listSought, matchesSearch } from './search-filter.ts'
import { listFoundIds } from './search/queries.ts'

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
  const show = (proofs: ProofRecord[]) => proofs.map((proof) => toServerContent(proof, at))
  // One's own are few.
  if (search?.trim() && seesAllCollections(viewer)) {
    const ids = await listFoundIds(deps, listSought(search), condition, toOrder(ordering))
    return showFound(address, page, ids, async (found) => show(await queries.listByIds(reads, found)))
  }
  const count =
    condition === everything ? await queries.countAllPublished(reads) : await queries.countPublished(reads, condition)
  return showPage(address, page, count, async (offset) =>
    show(await queries.listPublished(chooseReads(deps, offset), condition, toOrder(ordering), offset)),
  )
}

function toServerContent(proof: ProofRecord, now: number): ServerContent {
  return {
    collection_proofid: proof.proofid,
    collection_title: proof.title,
    pdf_file: `${API_BASE}${serveServerContent.path}?${new URLSearchParams({ collection_proofid: proof.proofid })}`,
    user: proof.username,
    staff_username: proof.reviewer_username,
    created_at: new Date(proof.published_at ?? proof.approved_at).toISOString(),
    is_active: isCurrent(proof, now),
    collection: proof.collection_id,
    expire_time: proof.expire_time === null ? null : new Date(proof.expire_time).toISOString(),
  }
}

function isCurrent(proof: ProofRecord, now: number): boolean {
  return proof.collection_id !== null && (proof.expire_time === null || proof.expire_time > now)
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
): Promise<StoredFile> {
  const { reads, secrets } = deps
  const proof = await queries.findProofByProofId(reads, readProofId(givenProofId) ?? '')
  const isVisible = proof && (proof.owner_id === viewer.id || seesAllCollections(viewer))
  const file = isVisible ? toStoredFile(secrets, proof, 'inline') : undefined
  if (!proof || !file) throw new AppError('proof_not_found')
  if (proof.owner_id !== viewer.id)
    await recordDownload(deps, request, certificateEvents.certificate_downloaded(viewer.id, proof))
  return file
}

export interface GivenProof {
  proofid?: string | undefined
  username?: string | undefined
}

/**
 * The certified PDF for a stranger who knows its Proof ID and username.
 * @param clientAddress Of the caller.
 * @throws AppError as `mustMatchProof`
 */
export async function findForStranger(deps: Deps, given: GivenProof, clientAddress: string): Promise<StoredFile> {
  const file = toStoredFile(deps.secrets, await mustMatchProof(deps, given, clientAddress), 'attachment')
  if (!file) throw new AppError('proof_not_found')
  return file
}

/**
 * What its certificate says, for the same stranger.
 * @param clientAddress Of the caller.
 * @throws AppError as `mustMatchProof`
 */
export async function describeForStranger(deps: Deps, given: GivenProof, clientAddress: string): Promise<ProofDetails> {
  const proof = await mustMatchProof(deps, given, clientAddress)
  // Nothing of an approved collection can be changed or deleted while its proof is in force.
  const order = { by: 'position', direction: 'asc' } as const
  const contents = proof.collection_id === null ? [] : await listContents(deps.reads, proof.collection_id, order)
  const { organisation } = deps.config
  return {
    proofid: proof.proofid,
    title: proof.title,
    username: proof.username,
    issued_at: new Date(proof.approved_at).toISOString(),
    expire_time: proof.expire_time === null ? null : new Date(proof.expire_time).toISOString(),
    issuer: organisation,
    reviewer: proof.reviewer_username,
    reviewer_organisation: organisation,
    files: contents.map(({ title, file_name, type, size, sha256 }) => ({ title, file_name, type, size, sha256 })),
  }
}

/**
 * A published proof in force, for a stranger who knows its Proof ID and username. An unknown Proof ID and a wrong username
 * take the same path: one look-up, one comparison of fixed length, one count. Only misses are counted; those at one Proof
 * ID, wherever they come from, never keep the right pair out, or anybody could make a proof unverifiable.
 * @param clientAddress Of the caller.
 * @throws AppError `proof_fields_missing`, `proof_not_found`, `proof_expired` once the username has matched,
 *   `rate_limited`, `proof_altered`.
 */
async function mustMatchProof(
  deps: Pick<Deps, 'reads' | 'limits' | 'now' | 'secrets'>,
  given: GivenProof,
  clientAddress: string,
): Promise<ProofRecord> {
  const username = given.username?.trim()
  if (!given.proofid?.trim() || !username) throw new AppError('proof_fields_missing')
  const proofId = readProofId(given.proofid)
  const proof = await deps.limits.watch(byClient(PROOF_MISS_ADDRESS, clientAddress), () =>
    matchProof(deps, proofId, username),
  )
  mustBeSealedByUs(deps.secrets, proof)
  if (!isCurrent(proof, deps.now())) throw new AppError('proof_expired')
  return proof
}

async function matchProof(
  { reads, limits }: Pick<Deps, 'reads' | 'limits'>,
  proofId: string | undefined,
  username: string,
): Promise<ProofRecord> {
  const proof = await queries.findProofByProofId(reads, proofId ?? '')
  const isMatch = isEqualText(foldCase(username), foldCase(proof?.username ?? '')) && proof !== undefined
  // Nobody has been told of an approval that is not published yet, or was withdrawn instead.
  if (isMatch && proof.state === 'published') return proof
  // What is no Proof ID at all has nothing that could be guessed at.
  if (proofId !== undefined) await limits.attempt({ limit: PROOF_MISS_PROOF_ID, key: proofId })
  throw new AppError('proof_not_found')
}

/** @returns undefined for what was never published. @throws AppError `proof_altered` when its row is not as we made it. */
function toStoredFile(
  secrets: Deps['secrets'],
  proof: ProofRecord,
  disposition: StoredFile['disposition'],
): StoredFile | undefined {
  const { state, sealed_key, sealed_sha256, sealed_size } = proof
  if (state !== 'published' || sealed_key === null || sealed_sha256 === null || sealed_size === null) return undefined
  mustBeSealedByUs(secrets, proof)
  return {
    key: sealed_key,
    size: sealed_size,
    sha256: sealed_sha256,
    mediaType: 'application/pdf',
    fileName: certifiedFileName(proof.username),
    disposition,
  }
}
