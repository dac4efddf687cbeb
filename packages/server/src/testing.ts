import { rmSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ensureIssuingKeys } from '@proofdesk/certify/issuing-keys'
import { openCertifyPool, type CertifyPool } from '@proofdesk/certify/pool'
import { PATIENT } from '@proofdesk/certify/testing/pace'
import type { UserInfo } from '@proofdesk/contract/users'
import type { Email } from 'postal-mime'
import { readConfig, type Config } from './config/config.ts'
import type { OpenDatabase } from './db/open.ts'
import { traceStatements } from './db/trace-statements.ts'
import type { Deps } from './deps.ts'
import { insertUser } from './features/users/queries.ts'
import type { BuiltPages } from './http/build-http.ts'
import { keepLogKey } from './log/keep-log-key.ts'
import { keepPaperKey } from './secrets/keep-paper-key.ts'
import { keepSecretKey } from './secrets/keep-secret-key.ts'
import { openLogger, type LogLevel } from './logger.ts'
import { openPasswords, type PasswordCost } from './secrets/passwords.ts'
import { openServer, type Server } from './start/server.ts'
import { makeClient, type TestClient } from './testing/client.ts'
import { makeClock, type TestClock } from './testing/clock.ts'
import { makeTestDatabase, type TestDatabase, type TestEngine } from './testing/engines.ts'
import { readMails } from './testing/mailbox.ts'
import { sealAfterClaim } from './testing/seal-after-claim.ts'

export { ENGINES, type TestEngine } from './testing/engines.ts'
export { findToken } from './testing/mailbox.ts'
export { codeOf } from './testing/two-factor.ts'
export type { TestAnswer, TestClient, TestFile } from './testing/client.ts'

/** Every account a test makes has it. */
export const TEST_PASSWORD = 'Secret1!'

/** Signing in is a part of nearly every test, and how well hashes resist is shown by those of passwords. */
const LOW_PASSWORD_COST: PasswordCost = { memoryCost: 64, timeCost: 1 }

export interface TestServerOptions {
  /** Milliseconds since 1970-01-01 UTC at which the clock starts; the real time when absent. */
  now?: number
  maxUploadMb?: number
  logLevel?: LogLevel
  onApprovalStep?: Deps['onApprovalStep']
  /** Passwords take as long to hash as in the product, for tests of what happens meanwhile. */
  hasFullPasswordCost?: boolean
  /** Any other setting. */
  config?: Partial<Config>
  /** A database of one's own, for tests that take it away; one of the engine when absent. */
  database?: TestDatabase
  /** A pool of one's own, for tests that break it; the shared one when absent. */
  certify?: CertifyPool
  /** Pages that were built; none when absent. */
  built?: BuiltPages
}

export interface NewTestUser {
  username: string
  email?: string
  is_staff?: boolean
  is_admin?: boolean
  is_superuser?: boolean
  is_active?: boolean
  /** True when absent. */
  verified?: boolean
}

/** A whole server of its own: database, files, keys, outbox worker, mails, real certifying. */
export interface TestServer extends Pick<Server, 'app' | 'deps' | 'sweep'> {
  engine: TestEngine
  config: Config
  clock: TestClock
  inject: Server['app']['inject']
  stranger: TestClient
  /** Listens at a free port of the loopback address. @returns its URL without closing slash. */
  listen(): Promise<string>
  createUser(user: NewTestUser): Promise<UserInfo>
  /** A client signed in by the real call; makes the account first when there is none. */
  signIn(username: string, user?: Omit<NewTestUser, 'username'>): Promise<TestClient>
  /** A client with tokens that a call gave. */
  as(tokens: { access: string; refresh: string }): TestClient
  /** Waits until the outbox has nothing left that is due. */
  settle(): Promise<void>
  /** Settles, then reads every mail, oldest first. */
  mails(): Promise<Email[]>
  /** Lines the log wrote, and lines meant for the operator. */
  logLines: string[]
  announced: string[]
  /** Closes the server and opens it again on the same data. */
  restart(options?: Pick<TestServerOptions, 'onApprovalStep' | 'certify'>): Promise<void>
}

/** What `node:test` and other runners give a test to register its end with. */
interface TestContext {
  after(end: () => Promise<void>): unknown
}

/** A busy machine takes longer than people are let wait; tests of what is answered then shorten it. */
const APPROVAL_PATIENCE_MS = 120_000

/** Starts a whole server, closed when the test ends. */
export async function startTestServer(
  t: TestContext,
  engine: TestEngine = 'sqlite',
  options: TestServerOptions = {},
): Promise<TestServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'proofdesk-test-'))
  const clock = makeClock(options.now)
  const testDatabase = options.database ?? makeTestDatabase(engine, dataDir)
  const { issuingDir, signerFingerprint, certify } = await openSharedCertifying()
  const keysDir = join(dataDir, 'keys')
  await mkdir(keysDir)
  // The log of each is its own; what certifies is shared.
  await symlink(issuingDir, join(keysDir, 'issuing'))
  const config: Config = {
    ...readConfig({ DATA_DIR: dataDir, ORGANISATION: 'Test Registry', MIN_FREE_MB: '0' }),
    keysDir,
    ...(options.maxUploadMb !== undefined && { maxUploadMb: options.maxUploadMb }),
    ...options.config,
  }
  const passwordOptions = options.hasFullPasswordCost ? {} : { cost: LOW_PASSWORD_COST }
  const logLines: string[] = []
  const announced: string[] = []
  const logger = openLogger(options.logLevel ?? 'debug', (line) => logLines.push(line))

  let database: OpenDatabase
  let server: Server
  async function open(changes: Pick<TestServerOptions, 'onApprovalStep' | 'certify'>): Promise<void> {
    const { tracing } = config
    database = await testDatabase.open(tracing && traceStatements(engine === 'sqlite' ? 'sqlite' : 'postgres'))
    server = await openServer({
      config,
      database,
      secrets: await keepSecretKey(database.db, config),
      logKey: await keepLogKey(database.db, config),
      paperKey: await keepPaperKey(database.db, config),
      signerFingerprint,
      certify: changes.certify ?? certify,
      logger,
      tracing: tracing && (await import('./tracing/open-tracing.ts')).openTracing(tracing, logger),
      now: clock.now,
      announce: (line) => announced.push(line),
      passwords: openPasswords(passwordOptions),
      ...(options.built && { built: options.built }),
      onApprovalStep: changes.onApprovalStep && sealAfterClaim(changes.onApprovalStep),
    })
    server.deps.approvalWaitMs = APPROVAL_PATIENCE_MS
    await server.start()
    // Its first sweep is over before a test puts things into the database by hand.
    await server.sweep()
  }
  async function close(): Promise<void> {
    await server.close()
    await database.close()
  }
  await open(options)
  t.after(async () => {
    await close()
    await testDatabase.drop()
    await rm(dataDir, { recursive: true, force: true })
  })

  let passwordHash: Promise<string> | undefined
  async function createUser(user: NewTestUser): Promise<UserInfo> {
    const email = user.email ?? `${user.username}@example.org`
    const isVerified = user.verified ?? true
    const made = await insertUser(server.deps.db, {
      username: user.username,
      email,
      verified_email: isVerified ? email : null,
      first_name: 'Test',
      last_name: 'Person',
      phone_number: '+44 20 7946 0000',
      birthdate: null,
      password_hash: await (passwordHash ??= openPasswords(passwordOptions).hash(TEST_PASSWORD)),
      is_active: user.is_active === false ? 0 : 1,
      is_staff: user.is_staff ? 1 : 0,
      is_admin: user.is_admin ? 1 : 0,
      is_superuser: user.is_superuser ? 1 : 0,
      is_email_verified: isVerified ? 1 : 0,
      gfa_is_enabled: 0,
      joined_at: clock.now(),
    })
    if (!made) throw new Error('the test already has such an account')
    return made
  }

  const app = () => server.app
  const stranger = makeClient(app)

  async function signIn(username: string, user: Omit<NewTestUser, 'username'> = {}): Promise<TestClient> {
    const attempt = () => stranger.post('/auth/login/', { username, password: TEST_PASSWORD })
    let answer = await attempt()
    if (answer.status === 400) {
      await createUser({ username, ...user })
      answer = await attempt()
    }
    if (answer.status !== 200) throw new Error(`signing in failed: ${answer.status} ${answer.body}`)
    return makeClient(app, answer.json())
  }

  return {
    engine,
    config,
    clock,
    logLines,
    announced,
    stranger,
    createUser,
    signIn,
    as: (tokens) => makeClient(app, tokens),
    get app() {
      return server.app
    },
    get deps() {
      return server.deps
    },
    get inject() {
      return server.app.inject.bind(server.app)
    },
    listen: async () => (await server.app.listen({ port: 0, host: '127.0.0.1' })).replace(/\/$/, ''),
    sweep: () => server.sweep(),
    settle: () => server.outbox.settle(),
    mails: async () => {
      await server.outbox.settle()
      return readMails(dataDir)
    },
    restart: async (changes = {}) => {
      await close()
      await open(changes)
    },
  }
}

/** One pool and one set of keys for all servers of this process: starting them costs far more than using them. */
let shared: Promise<SharedCertifying> | undefined

interface SharedCertifying {
  issuingDir: string
  /** SHA-256 of the certificate that seals, hex. */
  signerFingerprint: string
  certify: CertifyPool
}

function openSharedCertifying(): Promise<SharedCertifying> {
  shared ??= (async () => {
    const folder = await mkdtemp(join(tmpdir(), 'proofdesk-keys-'))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    const keysDir = join(folder, 'keys')
    const { leafFingerprint, leafPath } = await ensureIssuingKeys({ dir: keysDir, organisation: 'Test Registry' })
    return {
      issuingDir: dirname(leafPath),
      signerFingerprint: leafFingerprint,
      certify: openCertifyPool({ keysDir, workDir: folder, limits: PATIENT }),
    }
  })()
  return shared
}
