import type { Resolver } from 'node:dns/promises'
import type { CertifyPool } from '@proofdesk/certify/pool'
import type { Scanner } from './antivirus/scanner.ts'
import type { BlobStore } from './blobs/blob-store.ts'
import type { Config } from './config/config.ts'
import type { Db, Engine } from './db/open.ts'
import type { Limits } from './http/limits.ts'
import type { SharedMetrics } from './http/shared-metrics.ts'
import type { Live } from './live/live.ts'
import type { OwnWitness } from './log/keep-witness-key.ts'
import type { Log } from './log/log.ts'
import type { Logger } from './logger.ts'
import type { Mailer } from './mail/mailer.ts'
import type { FindRecipient } from './mail/recipient.ts'
import type { OutboxBell } from './outbox/outbox.ts'
import type { PaperKey } from './secrets/keep-paper-key.ts'
import type { Passwords } from './secrets/passwords.ts'
import type { SecretBox } from './secrets/secret-box.ts'
import type { Tracing } from './span.ts'

/** Everything a feature may reach; made once in `start/server.ts`. */
export interface Deps {
  config: Config
  engine: Engine
  /** Writes and transactions. */
  db: Db
  /** Reads outside transactions. */
  reads: Db
  /** Reads outside transactions whose cost grows with what there is: as `OpenDatabase` has it. */
  longReads: Db
  /** Milliseconds since 1970-01-01 UTC; injected so that tests own the clock. */
  now: () => number
  blobs: BlobStore
  certify: CertifyPool
  /** Looks at every upload; undefined where no virus scanner is set. */
  scanner: Scanner | undefined
  log: Log
  /** What we are to other logs; undefined where we witness none. */
  witness: OwnWitness | undefined
  mailer: Mailer
  /** Asks the DNS anew each time, so that it knows the name servers of now. */
  openResolver: () => Resolver
  /** By kinds of work, of all features. */
  mailRecipients: ReadonlyMap<string, FindRecipient>
  outbox: OutboxBell
  live: Live
  limits: Limits
  passwords: Passwords
  secrets: SecretBox
  paperKey: PaperKey
  logger: Logger
  /** Where traces go; undefined where nothing is traced. */
  tracing: Tracing | undefined
  /** What the processes of this machine measure together; undefined where there is one. */
  sharedMetrics: SharedMetrics | undefined
  /** As `APPROVAL_WAIT_MS`; tests of what cannot be sealed shorten it. */
  approvalWaitMs: number
  /** Told of each step of approving as it is done; tests end the process there (design, section 3). */
  onApprovalStep?: (step: ApprovalStep) => void | Promise<void>
}

/** `taken-up` is told by the outbox before it seals. */
export type ApprovalStep =
  | 'built'
  | 'claimed'
  | 'taken-up'
  | 'seal-made'
  | 'seal-stored'
  | 'seal-recorded'
  | 'published'
