import { ProofError } from '@proofdesk/proof/errors'
import { openCheckpoint } from '@proofdesk/proof/log/open-checkpoint'
import type { Policy } from '@proofdesk/proof/log/policy'
import type { Db } from '../../db/open.ts'
import { ANY_SIZE, type Checkpoint } from '../queries.ts'
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
export async function findWitnessedHead(
  db: Db,
  policy: Policy,
  leafIndex: number,
  upTo = Number.MAX_SAFE_INTEGER,
): Promise<WitnessedHead | undefined> {
  return findWitnessedOf(await listCosigned(db, { above: leafIndex, upTo, least: countLeast(policy) }), policy)
}

/** The newest head of some sizes that as many witnesses as the policy asks for have signed, with what they signed. */
export async function findNewestWitnessed(
  db: Db,
  policy: Policy,
  sizes = ANY_SIZE,
): Promise<(WitnessedHead & { signed_at: number }) | undefined> {
  return findWitnessedOf(await listNewestCosigned(db, { ...sizes, least: countLeast(policy) }), policy)
}

/** How many witnesses a head has to be signed by at the very least: those of fewer are not even looked at. */
export function countLeast({ witnesses, groups, quorum }: Policy): number {
  const least = new Map<string, number>([...witnesses.keys()].map((name) => [name, 1]))
  // A group names only what stands before it.
  for (const [name, { threshold, members }] of groups) {
    const counts = members.map((member) => least.get(member) ?? 0).toSorted((one, other) => one - other)
    least.set(
      name,
      counts.slice(0, threshold).reduce((sum, count) => sum + count, 0),
    )
  }
  // Where none is asked for, a head that is called witnessed has one all the same.
  return Math.max(1, quorum === null ? 0 : (least.get(quorum) ?? 0))
}

/** A head with what witnesses signed under it. */
export interface WitnessedHead {
  size: number
  note: string
}

/** @param rows One for each signature, those of one head together. */
async function findWitnessedOf<T extends WitnessedHead & { line: string }>(
  rows: readonly T[],
  policy: Policy,
): Promise<T | undefined> {
  for (const signatures of Map.groupBy(rows, ({ size }) => size).values()) {
    const [head] = signatures
    const note = (head?.note ?? '') + signatures.map(({ line }) => line).join('')
    if (head && (await isWitnessed(note, policy))) return { ...head, note }
  }
  return undefined
}
