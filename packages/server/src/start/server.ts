import type { CertifyPool } from '@proofdesk/certify/pool'
import { APPROVAL_WAIT_MS } from '@proofdesk/contract/limits'
import type { FastifyInstance } from 'fastify'
import { buildApp, listHandlers, listMailRecipients, sweepFeatures } from '../app.ts'
import { openScanner } from '../antivirus/scanner.ts'
import { sweepIncoming, sweepIntents } from '../blobs/intents.ts'
import { openStore } from '../blobs/open-store.ts'
import type { Config } from '../config/config.ts'
import type { OpenDatabase } from '../db/open.ts'
import { emptyOldLinks } from '../audit/empty-old-links.ts'
import { startMakingLinks } from '../audit/make-links.ts'
import { recordSettings } from '../audit/record-settings.ts'
import { sweepViews } from '../events/record-view.ts'
import type { Deps } from '../deps.ts'
import { eraseAgain } from '../erasure/erase-again.ts'
import { makeShellDeps } from '../events/shell-deps.ts'
import { doEach } from '../do-each.ts'
import type { BuiltPages } from '../http/build-http.ts'
import { openLimits } from '../http/limits.ts'
import { deleteOldCounts } from '../http/shared-limits/queries.ts'
import { openSharedLimits } from '../http/shared-limits/shared-limits.ts'
import { openLive } from '../live/live.ts'
import type { LogKey } from '../log/keep-log-key.ts'
import { keepWitnessKey } from '../log/keep-witness-key.ts'
import { openLog } from '../log/open-log.ts'
import type { Logger } from '../logger.ts'
import { startPresence } from '../nodes/presence.ts'
import { recordRelease } from '../nodes/record-release.ts'
import { keepRecord } from '../mail/delivery-record.ts'
import { openResolver } from '../mail/dns/open-resolver.ts'
import { openMailer } from '../mail/open-mailer.ts'
import { sweepMade } from '../once/make-once.ts'
import { makeOutboxWorker, type OutboxWorker } from '../outbox/worker.ts'
import { startBackups } from './keep-backups.ts'
import { startTending } from './tend.ts'
import { traceCertify } from '../tracing/trace-certify.ts'
import type { Tracing } from '../span.ts'
import type { PaperKey } from '../secrets/keep-paper-key.ts'
import { openPasswords, type Passwords } from '../secrets/passwords.ts'
import type { SecretBox } from '../secrets/secret-box.ts'

const SWEEP_EVERY_MS = 60 * 60 * 1000
/** How long a mail that is on its way may take when the server closes. */
const MAIL_GRACE_MS = 3000

/** What differs between the product and a test of it. */
export interface ServerParts {
  config: Config
  /** Migrated; closed by whoever opened it. */
  database: OpenDatabase
  /** Closed by whoever opened it. */
  certify: CertifyPool
  secrets: SecretBox
  logKey: LogKey
  paperKey: PaperKey
  /** SHA-256 of the certificate that seals, hex. */
  signerFingerprint: string
  logger: Logger
  /** Closed with the server; nothing is traced when absent. */
  tracing?: Tracing | undefined
  now: () => number
  /** Takes a line for the operator's eyes. */
  announce: (line: string) => void
  /** At full cost when absent. */
  passwords?: Passwords | undefined
  built?: BuiltPages
  /** Where several processes serve together. */
  sharedMetrics?: Deps['sharedMetrics']
  onApprovalStep?: Deps['onApprovalStep']
}

/** A server that is put together; its owner makes it listen and then starts the work behind the requests. */
export interface Server {
  app: FastifyInstance
  deps: Deps
  outbox: OutboxWorker
  /**
   * Starts the outbox and the sweeping. After listening: a second server on the same data is stopped by the port, and
   * must not have touched anything by then.
   */
  start(): Promise<void>
  /** Clears away what has run out or was abandoned; also done at the start and every hour. */
  sweep(): Promise<void>
  /** Ends requests, then the work behind them. */
  close(): Promise<void>
}

/** Before anybody is shown it: what was restored without the command, and what an erasure that was interrupted has left. */
async function eraseWhatIsListed({ config, db, secrets, logger }: Deps): Promise<void> {
  const { left, files: _, ...erased } = await eraseAgain({ ...makeShellDeps(db), keysDir: config.keysDir }, secrets)
  if (Object.values(erased).some((count) => count > 0))
    logger.info('erased again what the list in KEYS_DIR names', erased)
  if (left > 0)
    logger.warn('somebody on the list in KEYS_DIR is the last active superuser, and is not erased', { left })
}

/** Puts the parts together. */
export async function openServer(parts: ServerParts): Promise<Server> {
  const { config, database, logger, now, tracing } = parts
  const { db, reads, longReads, engine } = database
  const blobs = await openStore(config, { logger })
  const mailer = keepRecord(await openMailer({ config, logger, now, announce: parts.announce }), {
    db,
    logger,
    now,
    secrets: parts.secrets,
    host: config.mailFrom.address.split('@').at(-1) ?? '',
  })
  const outbox = makeOutboxWorker({ db, engine, now, logger, tracing })
  const live = openLive(database, logger)
  const deps: Deps = {
    config,
    engine,
    db,
    reads,
    longReads,
    now,
    blobs,
    certify: tracing ? traceCertify(parts.certify) : parts.certify,
    scanner: config.clamd && openScanner(config.clamd, logger),
    log: await openLog({ config, db, reads, engine, now, blobs, logger }, parts.logKey, parts.signerFingerprint),
    witness: await keepWitnessKey(db, config, parts.logKey.name),
    mailer,
    openResolver: () => openResolver(),
    mailRecipients: listMailRecipients(),
    outbox,
    live,
    limits: engine === 'postgres' ? openSharedLimits(db, parts.secrets) : openLimits(),
    passwords: parts.passwords ?? openPasswords(),
    secrets: parts.secrets,
    paperKey: parts.paperKey,
    logger,
    tracing,
    approvalWaitMs: APPROVAL_WAIT_MS,
    sharedMetrics: parts.sharedMetrics,
    ...(parts.onApprovalStep && { onApprovalStep: parts.onApprovalStep }),
  }
  await eraseWhatIsListed(deps)
  const app = await buildApp(deps, parts.built ?? {})

  const sweep = (isFirst: boolean) =>
    doEach([
      () => sweepFeatures(deps),
      () => sweepViews(deps),
      () => sweepMade(deps),
      () => emptyOldLinks(deps, isFirst),
      async () => engine === 'postgres' && deleteOldCounts(db),
      () => sweepIncoming(blobs.incomingDir, now()),
      async () => (await sweepIntents(db, now())) > 0 && outbox.ring(),
    ])
  let sweeping = Promise.resolve()
  const sweepInTurn = (isFirst = false) => {
    const turn = sweeping.then(() => sweep(isFirst))
    sweeping = turn.catch((error: unknown) => logger.fail('sweeping failed', error))
    return turn
  }
  let timer: NodeJS.Timeout | undefined
  let stopMakingLinks = async () => {}
  let stopTending = async () => {}
  let stopBackups = async () => {}
  let endPresence = async () => {}

  return {
    app,
    deps,
    outbox,
    sweep: () => sweepInTurn(),
    start: async () => {
      await recordSettings(deps)
      await recordRelease(deps)
      endPresence = await startPresence(deps)
      await live.start()
      await outbox.start(listHandlers(deps))
      void sweepInTurn(true)
      timer = setInterval(() => void sweepInTurn(), SWEEP_EVERY_MS)
      stopMakingLinks = startMakingLinks(deps)
      stopTending = startTending(deps)
      stopBackups = startBackups(deps)
    },
    close: async () => {
      // A backup takes its time to clean up, beside the requests that end.
      const backupsEnd = stopBackups()
      await app.close()
      clearInterval(timer)
      await sweeping
      await stopMakingLinks()
      await stopTending()
      await backupsEnd
      await endPresence()
      // Mails under way may arrive; a mail server that hangs does not keep us.
      const enough = setTimeout(() => mailer.close(), MAIL_GRACE_MS)
      await outbox.close()
      clearTimeout(enough)
      await live.close()
      mailer.close()
      await tracing?.close()
    },
  }
}
