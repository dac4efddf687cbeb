import { join } from 'node:path'
import { ensureIssuingKeys } from '@proofdesk/certify/issuing-keys'
import type { CertifyPool } from '@proofdesk/certify/pool'
import { readConfig } from '../config/config.ts'
import { migrate } from '../db/migrate.ts'
import { makeDiskReserve } from '../db/disk-reserve.ts'
import { openPostgres, openSqlite } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import { insertUser } from '../features/users/queries.ts'
import { keepLogKey } from '../log/keep-log-key.ts'
import { keepPaperKey } from '../secrets/keep-paper-key.ts'
import { keepSecretKey } from '../secrets/keep-secret-key.ts'
import { openLogger } from '../logger.ts'
import { openPasswords } from '../secrets/passwords.ts'
import { openServer, type Server } from '../start/server.ts'
import { makeClient, type TestClient } from './client.ts'

export const OWN_PASSWORD = 'Secret1!'

export interface OwnServerOptions {
  /** Originals, certified files and mails. */
  dataDir: string
  /** Folder of the database; may be another one, so that it keeps its room when the disk of `dataDir` is full. */
  databaseDir?: string
  /** Of a PostgreSQL; SQLite in `databaseDir` when absent or empty. */
  databaseUrl?: string
  certify: CertifyPool
  /** Where `certify` has its keys; the folder of all keys when absent. */
  issuingKeysDir?: string
  now?: () => number
  onApprovalStep?: Deps['onApprovalStep']
}

/** A server on a database and folders that outlive it, for tests that end its process or fill its disk. */
export interface OwnServer extends Server {
  logLines: string[]
  /** Makes the account when there is none. */
  signIn(username: string, isStaff?: boolean): Promise<TestClient>
}

export async function openOwnServer(options: OwnServerOptions): Promise<OwnServer> {
  const databaseDir = options.databaseDir ?? options.dataDir
  const config = readConfig({ DATA_DIR: options.dataDir, KEYS_DIR: join(databaseDir, 'keys'), MIN_FREE_MB: '0' })
  const path = join(databaseDir, 'proofdesk.sqlite')
  const database = options.databaseUrl
    ? openPostgres(options.databaseUrl)
    : openSqlite(path, makeDiskReserve(`${path}.reserve`))
  await migrate(database)
  const logLines: string[] = []
  const dir = options.issuingKeysDir ?? config.keysDir
  const { leafFingerprint } = await ensureIssuingKeys({ dir, organisation: config.organisation })
  const server = await openServer({
    config,
    database,
    secrets: await keepSecretKey(database.db, config),
    logKey: await keepLogKey(database.db, config),
    paperKey: await keepPaperKey(database.db, config),
    signerFingerprint: leafFingerprint,
    certify: options.certify,
    logger: openLogger('debug', (line) => logLines.push(line)),
    now: options.now ?? Date.now,
    announce: () => {},
    onApprovalStep: options.onApprovalStep,
  })
  await server.start()
  const app = () => server.app
  return {
    ...server,
    logLines,
    close: async () => {
      await server.close()
      await database.close()
    },
    signIn: async (username, isStaff = false) => {
      await insertUser(server.deps.db, {
        username,
        email: `${username}@example.org`,
        verified_email: `${username}@example.org`,
        first_name: 'Test',
        last_name: 'Person',
        phone_number: '1',
        birthdate: null,
        password_hash: await openPasswords().hash(OWN_PASSWORD),
        is_active: 1,
        is_staff: isStaff ? 1 : 0,
        is_admin: 0,
        is_superuser: 0,
        is_email_verified: 1,
        gfa_is_enabled: 0,
        joined_at: 0,
      })
      const answer = await makeClient(app).post('/auth/login/', { username, password: OWN_PASSWORD })
      if (answer.status !== 200) throw new Error(`signing in failed: ${answer.status} ${answer.body}`)
      return makeClient(app, answer.json())
    },
  }
}
