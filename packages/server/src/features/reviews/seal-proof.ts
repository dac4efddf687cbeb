import { randomBytes } from 'node:crypto'
import type { Seal } from '@proofdesk/certify/types'
import { forgetIntent, giveUpBlob, recordIntent } from '../../blobs/intents.ts'
import type { Deps } from '../../deps.ts'
import { recordEvents } from '../../events/record-events.ts'
import {
  findProof,
  findProofState,
  markPublished,
  recordProblem,
  recordSeal,
  type ProofRecord,
} from '../certificates/queries.ts'
import { macSeal, mustBeClaimedByUs, mustBeSealedByUs } from '../certificates/service.ts'
import { publishApproval } from '../collections/queries.ts'
import { settleAndDrop } from '../submissions/queries.ts'
import { toUnavailable } from './build-proof.ts'
import { reviewEvents } from './events.ts'
import { mustVerify } from './must-verify.ts'
import { proveApproval } from './prove-approval.ts'
import { insertDecision } from './queries.ts'
import { announceProof } from './wait-for-proof.ts'
import { inTransaction } from '../../db/in-transaction.ts'

/**
 * Steps 3 and 4 of approving (design, section 3), run from the outbox until they succeed: seals a claimed proof and
 * shows it. Every step may be repeated after a crash, and by two processes at once: the database lets one sealed file
 * in and publishes it once.
 * @throws whatever kept it from being sealed; reviewers then read a message about it beside the collection.
 */
export async function sealProof(deps: Deps, proofRowId: number): Promise<void> {
  try {
    const claimed = await findProof(deps.db, proofRowId)
    const sealed =
      claimed?.state === 'claimed' && claimed.sealed_key === null ? await storeSeal(deps, claimed) : claimed
    await publishProof(deps, sealed ?? (await findProof(deps.db, proofRowId)))
  } catch (error) {
    // Another process has published it, and its first revision is gone: nothing is left to do, and nothing is missing.
    const state = await findProofState(deps.db, proofRowId)
    if (state === 'published' || state === 'withdrawn') return
    const { code } = toUnavailable(error)
    await recordProblem(deps.db, proofRowId, code)
    throw error
  } finally {
    announceProof(proofRowId)
  }
}

/** @returns the proof with its seal; undefined where another process has sealed it, or it was withdrawn. */
async function storeSeal(deps: Deps, proof: ProofRecord): Promise<ProofRecord | undefined> {
  if (proof.revision0_key === null) throw new Error('a claimed proof has lost its revision 0')
  mustBeClaimedByUs(deps.secrets, proof)
  const seal = await makeSeal(deps, proof, proof.revision0_key)
  await deps.onApprovalStep?.('seal-made')

  // A fresh key each time: a signature differs with every making, and a file once shown must never change.
  const key = `certified/${randomBytes(16).toString('hex')}`
  await recordIntent(deps.db, deps.now(), key)
  let sealed: ProofRecord | undefined
  try {
    await deps.blobs.putAppended(key, proof.revision0_key, seal.update)
    await mustVerify(deps, key, proof)
    await deps.onApprovalStep?.('seal-stored')
    sealed = await inTransaction(deps.db, async (transaction) => {
      const [sha256, size] = [seal.sha256, proof.revision0_size + seal.update.length]
      const file = { sealed_key: key, sealed_sha256: sha256, sealed_size: size }
      const mac = macSeal(deps.secrets, { ...proof, ...file })
      if (!(await recordSeal(transaction, proof.id, { key, sha256, size, mac }))) return undefined
      await forgetIntent(transaction, key)
      return { ...proof, ...file, seal_mac: mac }
    })
  } finally {
    if (!sealed) await giveUpBlob(deps, key)
  }
  if (sealed) await deps.onApprovalStep?.('seal-recorded')
  return sealed
}

async function makeSeal(deps: Deps, proof: ProofRecord, revision0Key: string): Promise<Seal> {
  const local = await deps.blobs.openLocal(revision0Key)
  try {
    return await deps.certify.seal({
      path: local.path,
      sha256: proof.revision0_sha256,
      facts: proof.revision0_facts,
      signedAt: proof.approved_at,
      proof: await proveApproval(deps, proof),
    })
  } finally {
    await local.release()
  }
}

/** Everything that tells of an approval becomes visible in this one commit. */
async function publishProof(deps: Deps, proof: ProofRecord | undefined): Promise<void> {
  // Withdrawn, or published by an earlier run.
  if (proof?.state !== 'claimed' || proof.sealed_key === null) return
  mustBeClaimedByUs(deps.secrets, proof)
  mustBeSealedByUs(deps.secrets, proof)
  const { collection_id } = proof
  if (collection_id === null) throw new Error('a claimed proof has lost its collection')
  const at = deps.now()
  await recordEvents(deps, async (transaction, emit) => {
    if (!(await markPublished(transaction, proof.id, at))) return
    const submission = await publishApproval(transaction, collection_id, {
      proofRowId: proof.id,
      proofid: proof.proofid,
      adminDesc: proof.admin_desc,
      expireTime: proof.expire_time,
      reviewerId: proof.reviewer_id,
    })
    if (submission === undefined) throw new Error('a claimed proof does not hold its collection')
    const decision = await insertDecision(transaction, collection_id, proof.admin_desc)
    // Its pages are those of the certified PDF now.
    const dropped = await settleAndDrop(transaction, collection_id, submission, {
      outcome: 'approved',
      decided_at: proof.approved_at,
      reviewer_id: proof.reviewer_id,
      decision_id: decision,
    })
    const collection = { id: collection_id, owner_id: proof.owner_id, title: proof.title }
    const keys = [proof.revision0_key, ...dropped]
    await emit(reviewEvents.collection_approved(proof.reviewer_id, collection, { id: proof.id, keys }, decision))
  })
  await deps.onApprovalStep?.('published')
}
