import type { Generated } from 'kysely'

/** A leaf of the log. The database lets nobody change or delete a row. */
export interface LogEntryRow {
  /** From 0, without gaps. */
  leaf_index: number
  /** The statement as it is hashed: canonical JSON. */
  entry: string
  /** RFC 6962 section 2.1, hex; unique. */
  leaf_hash: string
}

/** Hashes of one level of the tree, 32 bytes each, at most 256. A row only grows. c2sp.org/tlog-tiles */
export interface LogTileRow {
  level: number
  tile_index: number
  data: Uint8Array<ArrayBuffer>
}

/** The tree as it is committed: one row, which only grows. */
export interface LogStateRow {
  id: 1
  size: number
  /** Hex. */
  root: string
  /** No head of a larger tree has been signed, and every smaller one is on the disk. */
  asked_size: Generated<number>
}

/** A signed head. Rows stay for ever. */
export interface LogCheckpointRow {
  size: number
  /** c2sp.org/tlog-checkpoint, with the signature of the log. */
  note: string
  signed_at: number
}

/** PostgreSQL: statements that are committed and wait for their place in the tree. */
export interface LogQueueRow {
  id: Generated<number>
  entry: string
  leaf_hash: string
}

/** What the leaf of a statement about a proof commits to; gone with an erasure, after which the leaf says nothing any more. */
export interface LogCommitmentRow {
  /** Of the statement, hex. */
  leaf_hash: string
  proof_id: number
  /** As the statement's `k`. */
  kind: 'approve' | 'revoke' | 'reinstate' | 'amend'
  /** 32 random bytes from which the salts follow, hex. */
  seed: string
  /** JSON of the committed fields. */
  fields: string
}

/** The approval of an erased proof that was withdrawn before it was given out. */
export interface LogWithdrawnLeafRow {
  /** Of the statement, hex. */
  leaf_hash: string
}

/** What a witness signed about a head of ours. Rows stay for ever. */
export interface LogCosignatureRow {
  /** Of the head. */
  size: number
  /** Name and ID of its key, as `nameWitnessKey` writes them. */
  witness: string
  /** The line for the note, with its newline. c2sp.org/signed-note, "Signatures" */
  line: string
  /** As the witness states it. */
  cosigned_at: number
}

/** A page of what is revoked. `packages/proof/src/log/status-page.ts` */
export interface LogStatusPageRow {
  page: number
  /** How often something was changed that it speaks of; above `made` it is due. */
  wanted: Generated<number>
  /** What `wanted` was when it was made; 0 before. */
  made: Generated<number>
  /** Of the log when it was made. */
  size: Generated<number>
  made_at: Generated<number>
  bits: Uint8Array<ArrayBuffer> | null
  /** Of its entry, hex. */
  leaf_hash: string | null
}

/** The head of another log that we signed last as its witness: no smaller one is signed again, and none that contradicts it. */
export interface WitnessStateRow {
  origin: string
  size: number
  /** Hex. */
  root: string
  /** That head, signed by that log. */
  note: string
  cosigned_at: number
  /** Two heads of one size that the log has signed, the first such that we were shown: both together convict it. */
  contradiction: string | null
}

/** Those of the log, and of being a witness of others. */
export interface LogTables {
  log_entries: LogEntryRow
  log_tiles: LogTileRow
  log_state: LogStateRow
  log_checkpoints: LogCheckpointRow
  log_queue: LogQueueRow
  log_commitments: LogCommitmentRow
  log_withdrawn_leaves: LogWithdrawnLeafRow
  log_cosignatures: LogCosignatureRow
  log_status_pages: LogStatusPageRow
  witness_state: WitnessStateRow
}
