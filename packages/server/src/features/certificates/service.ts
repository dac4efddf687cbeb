import { certifiedFileName, serveServerContent } from '@proofdesk/contract/certificates'
import type { listServerContents as listRoute, ServerContent } from '@proofdesk/contract/certificates'
import type { PageOf } from '@proofdesk/contract/paging'
import { seesAllCollections, type Viewer } from '@proofdesk/contract/permissions'
import { API_BASE, type In } from '@proofdesk/contract/route'
import { readProofId } from '@proofdesk/proof/proof-id'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { foldCase } from '../../fold-case.ts'
import { nameClient } from '../../http/limits.ts'
import { toOffset, toPage } from '../../http/page-links.ts'
import type { StoredFile } from '../../http/send-file.ts'
import { isEqualText } from './equal-text.ts'
import * as queries from './queries.ts'
import type { ProofRecord } from './queries.ts'

/**
 * A page of certified PDFs: everyone's for staff and superuser, one's own for all others; expired ones too.
 * @param address Path and query of the request, for the links to the neighbours.
 * @throws AppError `page_not_found` past the end.
 */
export async function listServerContents(
  { reads, now }: Deps,
  viewer: Viewer,
  query: In<typeof listRoute, 'query'>,
  address: string,
): Promise<PageOf<ServerContent>> {
  const ownerId = seesAllCollections(viewer) ? undefined : viewer.id
  const { page, ordering = '-created_at' } = query
  const count = await queries.countPublished(reads, ownerId)
  const order = {
    by: ordering.endsWith('title') ? ('title' as const) : ('created_at' as const),
    direction: ordering.startsWith('-') ? ('desc' as const) : ('asc' as const),
  }
  const proofs = await queries.listPublished(reads, ownerId, order, toOffset(page, count))
  const at = now()
  const results = proofs.map((proof) => toServerContent(proof, at))
  return toPage(address, page, count, results)
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
  }
}

function isCurrent(proof: ProofRecord, now: number): boolean {
  return proof.collection_id !== null && (proof.expire_time === null || proof.expire_time > now)
}

/** @throws AppError `proof_not_found` when there is none, or it is not in the viewer's list. */
export async function mustSeeServerContent({ reads }: Deps, viewer: Viewer, givenProofId: string): Promise<StoredFile> {
  const proof = await queries.findProofByProofId(reads, readProofId(givenProofId) ?? '')
  const isVisible = proof && (proof.owner_id === viewer.id || seesAllCollections(viewer))
  const file = isVisible ? toStoredFile(proof, 'inline') : undefined
  if (!file) throw new AppError('proof_not_found')
  return file
}

/**
 * The certified PDF for a stranger who knows its Proof ID and username. An unknown Proof ID and a wrong username take
 * the same path: one look-up, one comparison of fixed length. Misses are counted.
 * @param clientAddress Of the caller.
 * @throws AppError `proof_fields_missing`, `proof_not_found`, `proof_expired` once the username has matched,
 *   `rate_limited`.
 */
export async function findForStranger(
  { reads, limits, now }: Deps,
  given: { proofid?: string | undefined; username?: string | undefined },
  clientAddress: string,
): Promise<StoredFile> {
  const username = given.username?.trim()
  if (!given.proofid?.trim() || !username) throw new AppError('proof_fields_missing')
  const proofId = readProofId(given.proofid)
  const attempt = await limits.attempt(
    { name: 'proof_miss_address', key: nameClient(clientAddress) },
    // What is no Proof ID at all has nothing that could be guessed at.
    ...(proofId === undefined ? [] : [{ name: 'proof_miss_proof_id' as const, key: proofId }]),
  )
  const proof = await queries.findProofByProofId(reads, proofId ?? '')
  const isMatch = isEqualText(foldCase(username), foldCase(proof?.username ?? '')) && proof !== undefined
  // Nobody has been told of an approval that is not published yet.
  if (!isMatch || proof.state === 'claimed') throw new AppError('proof_not_found')
  await attempt.forgive()
  const file = isCurrent(proof, now()) ? toStoredFile(proof, 'attachment') : undefined
  if (!file) throw new AppError('proof_expired')
  return file
}

/** @returns undefined for what was never published. */
function toStoredFile(proof: ProofRecord, disposition: StoredFile['disposition']): StoredFile | undefined {
  const { state, sealed_key, sealed_sha256, sealed_size } = proof
  if (state !== 'published' || sealed_key === null || sealed_sha256 === null || sealed_size === null) return undefined
  return {
    key: sealed_key,
    size: sealed_size,
    sha256: sealed_sha256,
    mediaType: 'application/pdf',
    fileName: certifiedFileName(proof.username),
    disposition,
  }
}
