import { randomBytes } from 'node:crypto'
import { fromHex, toHex } from '@proofdesk/proof/bytes'
import { commitChange, type ChangeFields } from '@proofdesk/proof/log/change-commitment'
import { computeExpiryDay } from '@proofdesk/proof/log/statements'
import type { Db } from '../../../db/open.ts'
import type { Deps } from '../../../deps.ts'
import { appendStatement } from '../../../log/append-statement.ts'
import { findApproval, findLeafIndex, insertCommitment } from '../../../log/queries.ts'

const KINDS = { revoke: 'revoke', reinstate: 'reinstate', extend: 'amend' } as const
const SEED_BYTES = 32

/** Times are milliseconds since 1970-01-01 UTC. */
export interface StatedChange {
  kind: keyof typeof KINDS
  proofRowId: number
  proofid: string
  at: number
  reason: string | null
  text: string | null
  /** From then on. */
  expireTime: number | null
}

/**
 * Puts a change of a proof into the log, in the transaction of the change. One from before there was a log has no leaf that
 * the change could refer to, and gets none.
 * @throws Error when the approval has not got its place yet: `log.settle` gives it one.
 */
export async function stateChange(deps: Pick<Deps, 'engine'>, transaction: Db, change: StatedChange): Promise<void> {
  const { proofRowId, proofid: pid, at, reason, text, expireTime } = change
  const approval = await findApproval(transaction, proofRowId)
  if (!approval) return
  const ref = await findLeafIndex(transaction, fromHex(approval.leaf_hash))
  if (ref === undefined) throw new Error('log: a change of an approval that is not in it')
  const seconds = expireTime === null ? null : Math.floor(expireTime / 1000)
  const exp = seconds === null ? null : new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
  const fields: ChangeFields = { pid, reason, text, exp }
  const seed = new Uint8Array(randomBytes(SEED_BYTES))
  const { commitment } = commitChange(seed, fields)
  const said = { commitment, ref, time: Math.floor(at / 1000) }
  const kind = KINDS[change.kind]
  const statement =
    kind === 'amend'
      ? { ...said, kind, ...(seconds !== null && { expiryDay: computeExpiryDay(seconds) }) }
      : { ...said, kind }
  await insertCommitment(transaction, {
    leaf_hash: toHex(await appendStatement(deps.engine, transaction, statement)),
    proof_id: proofRowId,
    kind,
    seed: toHex(seed),
    fields: JSON.stringify(fields),
  })
}
