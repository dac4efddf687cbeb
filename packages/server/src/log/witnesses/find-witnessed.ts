import { ProofError } from '@proofdesk/proof/errors'
import { openCheckpoint } from '@proofdesk/proof/log/open-checkpoint'
import type { Policy } from '@proofdesk/proof/log/policy'
import type { Db } from '../../db/open.ts'
import type { Checkpoint } from '../queries.ts'
import { listCosignatures, listCosigned, listNewestCosigned } from './queries.ts'

/** Signed heads, each with the signatures of witnesses under it. */
export async function addCosignatures(db: Db, heads: readonly Checkpoint[]): Promise<Checkpoint[]> {
  const known = await listCosignatures(
    db,
    heads.map(({ size }) => size),
  )
  const linesOf = (size: number) => known.flatMap((one) => (one.size === size ? [one.line] : []))
  return heads.map((head) => ({ ...head, note: head.note + linesOf(head.size).join('') }))
}

/** Whether as many witnesses as the policy asks for, and at least one, have signed a head. */
export async function isWitnessed(note: string, policy: Policy): Promise<boolean> {
  try {
    const { cosignatures, isQuorumMet } = await openCheckpoint(note, policy)
    return isQuorumMet && cosignatures.length > 0
  } catch (error) {
    // Changed in the database: as if nobody had signed.
    if (error instanceof ProofError) return false
    throw error
  }
}

/**
 * The first witnessed head that holds a leaf: its time is the one that tells when the leaf was there at the latest.
 * @see c2sp.org/tlog-proof, "Use of timestamps"
 */
export async function findWitnessedHead(db: Db, policy: Policy, leafIndex: number): Promise<string | undefined> {
  const rows = await listCosigned(db, leafIndex)
  for (const signatures of Map.groupBy(rows, ({ size }) => size).values()) {
    const note = (signatures[0]?.note ?? '') + signatures.map(({ line }) => line).join('')
    if (await isWitnessed(note, policy)) return note
  }
  return undefined
}

/** The newest head that as many witnesses as the policy asks for have signed, with what they signed. */
export async function findNewestWitnessed(
  db: Db,
  policy: Policy,
): Promise<{ size: number; signed_at: number; note: string } | undefined> {
  const rows = await listNewestCosigned(db)
  for (const signatures of Map.groupBy(rows, ({ size }) => size).values()) {
    const [head] = signatures
    const note = (head?.note ?? '') + signatures.map(({ line }) => line).join('')
    if (head && (await isWitnessed(note, policy))) return { size: head.size, signed_at: head.signed_at, note }
  }
  return undefined
}
