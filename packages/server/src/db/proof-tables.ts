import type { ProofChangeKind } from '@proofdesk/contract/proof-changes'
import type { RevocationReason } from '@proofdesk/contract/proof-verdict'
import type { Generated, Selectable } from 'kysely'

/** What was changed about a published proof. The database lets nobody change or delete a row. */
export interface ProofChangeRow {
  id: Generated<number>
  proof_id: number
  /** 1 for the first of its proof, and so on without a gap. */
  number: number
  kind: ProofChangeKind
  at: number
  actor_id: number
  /** Public; of a revocation only. */
  reason: RevocationReason | null
  /** For staff and superuser alone. */
  text: string | null
  /** Until when the proof holds from here on, whatever the change was; null for never. */
  expire_time: number | null
  /** Over all of it and the Proof ID, by a key that is not in the database. */
  mac: string
}

export type ProofChangeRecord = Selectable<ProofChangeRow>

/** A proof that is being erased: its changes may be deleted. It goes with the proof, in the same transaction. */
export interface ErasingProofRow {
  proof_id: number
}

/** How far the reminders of one day-mark have come. */
export interface ReminderMarkRow {
  /** Before the expiry. */
  days: number
  /** The proofs that expire up to here, and at this very time those up to `reached_id`, have been seen to. */
  reached: number
  reached_id: number
  /** JSON: lists of two times, after which and until which expiries were passed over without a word. */
  passed_over: string
}

/** The owner of a proof was told of this expiry on this day-mark. */
export interface ToldReminderRow {
  proof_id: number
  days: number
  expire_time: number
}

/** A published proof whose stored file was not what was approved when it was judged last. */
export interface FileProblemRow {
  proof_id: number
  found_at: number
  /** Verdict and failed steps, for the operator. */
  told: string
}
