import type { ServerContent } from '@proofdesk/contract/certificates'
import {
  whyNotChangeProofExpiry,
  whyNotReinstateProof,
  whyNotRevokeProof,
  type Viewer,
} from '@proofdesk/contract/permissions'
import type { RevocationReason } from '@proofdesk/contract/proof-verdict'
import type { Db } from '../../../db/open.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, refuse } from '../../../errors.ts'
import { recordEvents } from '../../../events/record-events.ts'
import { moveExpiry } from '../../collections/queries.ts'
import { certificateEvents } from '../events.ts'
import { findVisible } from '../find-visible.ts'
import { mustBeSealedByUs } from '../proof-mac.ts'
import { toProofFacts, toServerContent } from '../to-server-content.ts'
import { macChange, mustStandAsChanged } from './change-mac.ts'
import { stateChange } from './state-change.ts'
import { changeStanding, insertChange, type Standing, type StandingProof } from './queries.ts'

/** What is to become of a proof. */
export type Change =
  | { kind: 'revoke'; reason: RevocationReason }
  | { kind: 'reinstate' }
  /** Milliseconds since 1970-01-01 UTC; null for never. */
  | { kind: 'extend'; expire_time: number | null }

/** `change_count`: of the proof as it was looked at; without it the change is to whatever it is when it arrives. */
export interface GivenChange {
  proofid: string
  text?: string | undefined
  change_count?: number | undefined
}

const WHY_NOT = { revoke: whyNotRevokeProof, reinstate: whyNotReinstateProof, extend: whyNotChangeProofExpiry }

const EVENTS = {
  revoke: certificateEvents.proof_revoked,
  reinstate: certificateEvents.proof_reinstated,
  extend: certificateEvents.proof_expiry_changed,
}

/**
 * The one way in which a published proof changes: its state, the entry of its history, the collection's expiry and all that
 * tells of it are one transaction, in which a conditional update decides between two at once.
 * @throws AppError `proof_not_found`; `forbidden`, `own_collection`; `proof_already_revoked`, `proof_not_revoked`,
 *   `proof_collection_deleted`, `expire_time_past`; `proof_changed` when another change came first; `proof_altered`;
 *   `log_behind`. Then nothing has changed.
 */
export async function changeProof(
  deps: Deps,
  viewer: Viewer,
  given: GivenChange,
  change: Change,
): Promise<ServerContent> {
  deps.log.mustBeWhole()
  return recordEvents(deps, async (transaction, emit) => {
    const at = deps.now()
    const proof = await findVisible(transaction, viewer, given.proofid)
    refuse(WHY_NOT[change.kind](viewer, toProofFacts(proof)))
    mustBeSealedByUs(deps.secrets, proof)
    mustStandAsChanged(deps.secrets, proof)
    if (given.change_count !== undefined && given.change_count !== proof.change_count)
      throw new AppError('proof_changed')
    // Its collection first: who deletes that holds it and then lets go of the proof, in the same order.
    if (change.kind === 'extend') await moveCollection(transaction, proof, change.expire_time, at)
    const standing = findStanding(proof, change, at)
    if (!(await changeStanding(transaction, proof.id, proof.change_count, standing)))
      throw new AppError('proof_changed')
    const number = proof.change_count + 1
    const entry = {
      proof_id: proof.id,
      number,
      kind: change.kind,
      at,
      actor_id: viewer.id,
      reason: standing.revocation_reason,
      text: given.text || null,
      expire_time: standing.current_expire_time,
    }
    await insertChange(transaction, { ...entry, mac: macChange(deps.secrets, proof.proofid, entry) })
    // Whatever makes the change known outside belongs between here and the commit.
    await stateChange(deps, transaction, {
      kind: change.kind,
      proofRowId: proof.id,
      proofid: proof.proofid,
      at,
      reason: entry.reason,
      text: entry.text,
      expireTime: entry.expire_time,
    })
    await emit(EVENTS[change.kind](viewer.id, proof, entry))
    return toServerContent({ ...proof, ...standing, change_count: number }, viewer, at)
  })
}

function findStanding(proof: StandingProof, change: Change, at: number): Standing {
  const { current_expire_time } = proof
  const inForce = { current_expire_time, revoked_at: null, revocation_reason: null }
  if (change.kind === 'revoke') return { ...inForce, revoked_at: at, revocation_reason: change.reason }
  return change.kind === 'extend' ? { ...inForce, current_expire_time: change.expire_time } : inForce
}

/** The collection is active for as long as its proof holds. */
async function moveCollection(
  transaction: Db,
  { id, collection_id }: StandingProof,
  expireTime: number | null,
  at: number,
): Promise<void> {
  if (expireTime !== null && expireTime <= at) {
    const refusal = new AppError('expire_time_past')
    throw new AppError('expire_time_past', { fields: { expire_time: [refusal.message] } })
  }
  const isThere = collection_id !== null && (await moveExpiry(transaction, collection_id, id, expireTime))
  if (!isThere) throw new AppError('proof_collection_deleted')
}
