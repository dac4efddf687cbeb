import { serveServerContent, type ServerContent } from '@proofdesk/contract/certificates'
import { listProofRights, type ProofFacts, type Viewer } from '@proofdesk/contract/permissions'
import { judgeProof, type VerdictFacts } from '@proofdesk/contract/proof-verdict'
import { API_BASE } from '@proofdesk/contract/route'
import type { ProofRecord } from './queries.ts'

/** The shape the API shows. */
export function toServerContent(proof: ProofRecord, viewer: Viewer, now: number): ServerContent {
  return {
    collection_proofid: proof.proofid,
    collection_title: proof.title,
    pdf_file: `${API_BASE}${serveServerContent.path}?${new URLSearchParams({ collection_proofid: proof.proofid })}`,
    user: proof.username,
    staff_username: proof.reviewer_username,
    created_at: new Date(proof.published_at ?? proof.approved_at).toISOString(),
    is_active: judgeProof(toVerdictFacts(proof), now) === 'valid',
    collection: proof.collection_id,
    expire_time: sayTime(proof.current_expire_time),
    revoked_at: sayTime(proof.revoked_at),
    revocation_reason: proof.revocation_reason,
    change_count: proof.change_count,
    may: listProofRights(viewer, toProofFacts(proof)),
  }
}

export function toVerdictFacts(proof: ProofRecord): VerdictFacts {
  const { revoked_at, current_expire_time: expire_time, collection_id } = proof
  return { revoked_at, expire_time, has_collection: collection_id !== null }
}

export function toProofFacts({ owner_id, revoked_at, collection_id }: ProofRecord): ProofFacts {
  return { owner_id, is_revoked: revoked_at !== null, has_collection: collection_id !== null }
}

/** ISO 8601 in UTC; null stays null. */
export function sayTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}
