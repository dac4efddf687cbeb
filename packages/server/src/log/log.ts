import type { BlobStore } from '../blobs/blob-store.ts'
import type { Config } from '../config/config.ts'
import type { Db, Engine } from '../db/open.ts'
import type { Logger } from '../logger.ts'
import type { Checkpoint } from './queries.ts'
import type { WitnessFailureCode } from './witnesses/witness-failure.ts'
import type { Witnesses } from './witnesses/witnesses.ts'

/** The transparency log of this installation. `appendStatement` adds to it. */
export interface Log {
  /** The name in every head. */
  origin: string
  verifierKey: string
  /** SHA-256 of the certificate that seals, hex. */
  signerFingerprint: string
  /** Milliseconds since 1970-01-01 UTC: every approval from then on is in it. */
  begunAt: number
  /** Makes sure that everything committed has its place in the tree. */
  settle(): Promise<void>
  /**
   * A signed head of at least everything that is committed when it is asked for.
   * @throws AppError `log_behind`; what the database or the storage throws.
   */
  sign(): Promise<Checkpoint>
  /** Who else signs heads. */
  witnesses: Witnesses
  /** Asks the witnesses about the newest signed head, for a few seconds at most. None of them is a reason for it to fail. */
  gather(): Promise<void>
  /** Why a witness did not sign when this process asked it last; undefined where it did, or was not asked. */
  findRefusal(witnessId: string): WitnessFailureCode | undefined
  /** Makes due status pages, signs what was committed since the last head, and offers a head that lacks witnesses again; every few seconds. */
  tend(): Promise<void>
  /** @throws AppError `log_behind` where heads were signed that this database does not know: it must not go on. */
  mustBeWhole(): void
}

/** What it is made of. */
export interface LogParts {
  config: Pick<Config, 'keysDir' | 'witnessPolicy'>
  db: Db
  reads: Db
  engine: Engine
  /** Milliseconds since 1970-01-01 UTC. */
  now: () => number
  blobs: BlobStore
  logger: Logger
}
