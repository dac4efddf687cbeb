import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { isIP } from 'node:net'
import { MAX_PARSING_PROCESSES, openCertifyPool } from '@proofdesk/certify/pool'
import { incomingFolder } from '../blobs/incoming.ts'
import type { Config } from '../config/config.ts'
import { StartFailure } from '../config/start-failure.ts'
import { makeSetupToken } from '../features/auth/service.ts'
import { traceStatements } from '../db/trace-statements.ts'
import { vouchForOldProofs } from '../features/certificates/vouch-for-old-proofs.ts'
import { openLogger } from '../logger.ts'
import { refuseReachableDemonstration } from './demonstration.ts'
import { keepKeys } from './keep-keys.ts'
import { openDataToServe } from './open-data.ts'
import { followLead } from './processes/follow.ts'
import { openServer } from './server.ts'

const WEB_DIR = resolve(import.meta.dirname, '../../../web/dist')
const OFFLINE_PAGE = resolve(import.meta.dirname, '../../../verifier/dist/verify.html')
/** How long requests that are under way may take after a signal. */
const DRAIN_MS = 10_000

/**
 * Serves until the process is told to end: the whole product, or one of several processes of it on this machine.
 * @throws StartFailure
 */
export async function serve(config: Config): Promise<void> {
  const lead = followLead()
  const logger = openLogger(config.logLevel)
  const announce = (line: string) => void process.stdout.write(`${line}\n`)
  // Nothing of it is loaded otherwise.
  const tracing = config.tracing && (await import('../tracing/open-tracing.ts')).openTracing(config.tracing, logger)
  const watch = tracing && traceStatements(config.databaseUrl === undefined ? 'sqlite' : 'postgres')
  const database = await openDataToServe(config, watch)
  await refuseReachableDemonstration(database.db, config)
  const keys = await keepKeys(database.db, config)
  await vouchForOldProofs(database.db, keys.secrets, config)
  const certify = openCertifyPool({
    keysDir: config.keysDir,
    passphrase: config.keyPassphrase,
    workDir: incomingFolder(config.dataDir),
    threads: shareOfParsing(config.webConcurrency),
  })
  const server = await openServer({
    config,
    database,
    certify,
    ...keys,
    logger,
    tracing,
    now: Date.now,
    announce,
    sharedMetrics: lead?.metrics,
    built: { webDir: WEB_DIR, offlinePage: OFFLINE_PAGE },
  })

  let isClosing = false
  const close = (signal?: NodeJS.Signals) => {
    // Who signals all processes at once has this one told by itself and by the one that leads; that one ends what must not wait.
    if (isClosing && lead) return
    if (isClosing) process.exit(1)
    isClosing = true
    if (!lead) announce(`Proofdesk is closing (${signal}); once more to stop at once`)
    const late = setTimeout(() => server.app.server.closeAllConnections(), DRAIN_MS)
    const tooLate = setTimeout(() => process.exit(1), 2 * DRAIN_MS)
    server
      .close()
      .then(() => certify.close())
      .then(() => database.close())
      .then(
        () => process.exit(0),
        (error: unknown) => {
          logger.fail('closing failed', error)
          process.exit(1)
        },
      )
    late.unref()
    tooLate.unref()
  }
  // A terminal sends the first to all processes; the one that leads them says what becomes of it.
  process.on('SIGINT', lead ? () => {} : close)
  process.on('SIGTERM', close)
  lead?.onGone(() => isClosing || close())
  process.on('unhandledRejection', (error) => logger.fail('a promise was left alone', error))

  try {
    await server.app.listen({ port: config.port, host: config.host })
  } catch (cause) {
    throw new StartFailure(explainListen(cause, config.host, config.port), { cause })
  }
  await server.start()
  if (lead) lead.tellReady()
  else announce(`Proofdesk is ready at ${config.publicUrl}`)
  if (lead && !lead.isFirst) return
  const setupToken = await makeSetupToken(server.deps)
  // The one secret ever printed, and never through the log.
  if (setupToken) announce(`Make the first superuser at ${config.publicUrl}/setup/${setupToken}`)
}

/** @param processes Among which the processors of this machine are shared. */
function shareOfParsing(processes: number): number {
  const all = Math.min(MAX_PARSING_PROCESSES, availableParallelism() - 1)
  return Math.max(1, Math.floor(all / processes))
}

function explainListen(error: unknown, host: string, port: number): string {
  const place = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`
  const { code } = error as { code?: unknown }
  if (code === 'EADDRINUSE') return `PORT ${port} is taken: another program listens at ${place}`
  if (code === 'EACCES') return `PORT ${port} is not ours to listen at: permission denied`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `HOST ${host} is not an address of this machine`
  return `Nothing can listen at ${place}: ${String(code)}`
}
