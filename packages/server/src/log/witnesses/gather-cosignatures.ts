import { proveConsistency } from '@proofdesk/proof/log/tiles'
import { readTilesOf } from '../append-statement.ts'
import type { LogParts } from '../log.ts'
import { findNewestCheckpoint, type Checkpoint } from '../queries.ts'
import { askWitness } from './ask-witness.ts'
import { findNewestBy, keepCosignature, listCosignatures } from './queries.ts'
import { WitnessFailure, type WitnessFailureCode } from './witness-failure.ts'
import type { Witness, Witnesses } from './witnesses.ts'

/** How long all witnesses together may keep an approval waiting. */
const WAIT_MS = 3000
/** For how long one that did not sign is not asked. */
const REST_MS = 60_000

/** What asks the witnesses for their signatures. */
export interface Gathering {
  /**
   * Asks about the newest signed head, all at once, and keeps what they sign. It throws nothing that a witness is the
   * reason of. Never inside a transaction.
   */
  gather(): Promise<void>
  /** Why a witness did not sign when this process asked it last; undefined where it did, or was not asked. */
  findRefusal(witnessId: string): WitnessFailureCode | undefined
}

export function openGathering(
  { db, now, logger }: Pick<LogParts, 'db' | 'now' | 'logger'>,
  { all }: Witnesses,
): Gathering {
  const restsUntil = new Map<string, number>()
  const refusals = new Map<string, WitnessFailureCode>()

  async function ask(witness: Witness, head: Checkpoint, signal: AbortSignal): Promise<void> {
    try {
      const { line, cosignedAt } = await askWitness(witness, head, {
        oldSize: (await findNewestBy(db, witness.id))?.size ?? 0,
        proveGrowth: (oldSize, newSize) => proveConsistency(oldSize, newSize, readTilesOf(db)),
        signal,
        now,
      })
      refusals.delete(witness.id)
      await keepCosignature(db, { size: head.size, witness: witness.id, line, cosigned_at: cosignedAt })
    } catch (error) {
      if (!(error instanceof WitnessFailure)) throw error
      refusals.set(witness.id, error.code)
      // Another node may just have offered a larger head.
      if (error.code !== 'ahead') restsUntil.set(witness.id, now() + REST_MS)
      logger.warn('a witness did not sign', { witness: witness.name, why: error.code, detail: error.detail })
    }
  }

  return {
    gather: async () => {
      const head = all.length > 0 ? await findNewestCheckpoint(db) : undefined
      if (!head) return
      const known = new Set((await listCosignatures(db, [head.size])).map(({ witness }) => witness))
      const due = all.filter(({ id }) => !known.has(id) && (restsUntil.get(id) ?? 0) <= now())
      const signal = AbortSignal.timeout(WAIT_MS)
      await Promise.all(due.map((witness) => ask(witness, head, signal)))
    },
    findRefusal: (witnessId) => refusals.get(witnessId),
  }
}
