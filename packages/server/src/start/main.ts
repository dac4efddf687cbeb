import { resolve } from 'node:path'
import { isIP } from 'node:net'
import { readConfig } from '../config/config.ts'
import { StartFailure, explainFailure } from '../config/start-failure.ts'

const WEB_DIR = resolve(import.meta.dirname, '../../../web/dist')
const OFFLINE_PAGE = resolve(import.meta.dirname, '../../../verifier/dist/verify.html')
/** How long requests that are under way may take after a signal. */
const DRAIN_MS = 10_000

// Whoever read the output may be gone, as at the end of a pipe; that is no reason to drop requests.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {})

// What is made from here on, in the processes of the pool too, is its owner's alone.
process.umask(0o077)

try {
  await serve()
} catch (error) {
  process.stderr.write(`${explainFailure(error)}\n`)
  // Workers may be running already; there is nothing of theirs to wait for.
  process.exit(1)
}

async function serve(): Promise<void> {
  const config = readConfig()
  // Only now the rest: a wrong setting is told before anything heavy is loaded, and a missing library in one line too.
  const [
    { openCertifyPool },
    { openDataToServe },
    { keepIssuingKeys },
    { keepSecretKey },
    { keepLogKey },
    { keepPaperKey },
    { refuseReachableDemonstration },
    { openServer },
    { openLogger },
    { makeSetupToken },
    { vouchForOldProofs },
    { incomingFolder },
  ] = await Promise.all([
    import('@proofdesk/certify/pool'),
    import('./open-data.ts'),
    import('./keep-issuing-keys.ts'),
    import('../secrets/keep-secret-key.ts'),
    import('../log/keep-log-key.ts'),
    import('../secrets/keep-paper-key.ts'),
    import('./demonstration.ts'),
    import('./server.ts'),
    import('../logger.ts'),
    import('../features/auth/service.ts'),
    import('../features/certificates/vouch-for-old-proofs.ts'),
    import('../blobs/disk.ts'),
  ])
  const logger = openLogger(config.logLevel)
  const announce = (line: string) => void process.stdout.write(`${line}\n`)
  const database = await openDataToServe(config)
  await refuseReachableDemonstration(database.db, config)
  const signerFingerprint = await keepIssuingKeys(database.db, config)
  const secrets = await keepSecretKey(database.db, config)
  const logKey = await keepLogKey(database.db, config)
  const paperKey = await keepPaperKey(database.db, config)
  await vouchForOldProofs(database.db, secrets, config)
  const certify = openCertifyPool({
    keysDir: config.keysDir,
    passphrase: config.keyPassphrase,
    workDir: incomingFolder(config.dataDir),
  })
  const server = await openServer({
    config,
    database,
    certify,
    secrets,
    logKey,
    paperKey,
    signerFingerprint,
    logger,
    now: Date.now,
    announce,
    built: { webDir: WEB_DIR, offlinePage: OFFLINE_PAGE },
  })

  let isClosing = false
  const close = (signal: NodeJS.Signals) => {
    if (isClosing) process.exit(1)
    isClosing = true
    announce(`Proofdesk is closing (${signal}); once more to stop at once`)
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
  process.on('SIGINT', close)
  process.on('SIGTERM', close)
  process.on('unhandledRejection', (error) => logger.fail('a promise was left alone', error))

  try {
    await server.app.listen({ port: config.port, host: config.host })
  } catch (cause) {
    throw new StartFailure(explainListen(cause, config.host, config.port), { cause })
  }
  await server.start()
  announce(`Proofdesk is ready at ${config.publicUrl}`)
  const setupToken = await makeSetupToken(server.deps)
  // The one secret ever printed, and never through the log.
  if (setupToken) announce(`Make the first superuser at ${config.publicUrl}/setup/${setupToken}`)
}

function explainListen(error: unknown, host: string, port: number): string {
  const place = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`
  const { code } = error as { code?: unknown }
  if (code === 'EADDRINUSE') return `PORT ${port} is taken: another program listens at ${place}`
  if (code === 'EACCES') return `PORT ${port} is not ours to listen at: permission denied`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `HOST ${host} is not an address of this machine`
  return `Nothing can listen at ${place}: ${String(code)}`
}
