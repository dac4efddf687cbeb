import { openCertifyPool } from '@proofdesk/certify/pool'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'
import { StartFailure } from '../config/start-failure.ts'
import type { Db } from '../db/open.ts'
import { createAccount, type NewAccount } from '../features/users/service.ts'
import { openLogger } from '../logger.ts'
import { claimDemonstration } from './demonstration.ts'
import { keepKeys } from './keep-keys.ts'
import { openDataToServe } from './open-data.ts'
import { openServer } from './server.ts'

/** An instance that nobody has used, for a demonstration to fill: whole, but at no port. */
export interface EmptyInstance {
  app: FastifyInstance
  /** Begins the work behind the requests. */
  start(): Promise<void>
  /** Makes an account without the ways people come by one. */
  makeAccount(account: NewAccount): Promise<unknown>
  /** Resolves when nothing is left to do behind the requests. */
  settle(): Promise<void>
  close(): Promise<void>
}

/**
 * @param now The instance's clock.
 * @throws StartFailure where the instance is in use, or another demonstration was begun; then nothing was changed.
 */
export async function openEmptyInstance(config: Config, password: string, now: () => number): Promise<EmptyInstance> {
  const database = await openDataToServe(config)
  const { db } = database
  await refuseUsed(db, config)
  const keys = await keepKeys(db, config)
  if (!(await claimDemonstration(db, password)))
    throw new StartFailure('Another demonstration was begun here: choose an empty DATA_DIR')
  const certify = openCertifyPool({ keysDir: config.keysDir, passphrase: config.keyPassphrase })
  const logger = openLogger('error')
  const server = await openServer({ config, database, certify, ...keys, logger, now, announce: () => {} })
  await server.app.ready()
  return {
    app: server.app,
    start: () => server.start(),
    makeAccount: (account) => createAccount(server.deps, account),
    settle: () => server.outbox.settle(),
    async close() {
      await server.close()
      await certify.close()
      await database.close()
    },
  }
}

async function refuseUsed(db: Db, config: Config): Promise<void> {
  for (const table of ['users', 'tickets'] as const) {
    if (!(await db.selectFrom(table).select('id').limit(1).executeTakeFirst())) continue
    throw new StartFailure(
      `This instance is in use already and nothing was changed: npm start serves it. For a demonstration choose an empty DATA_DIR${config.databaseUrl === undefined ? '' : ' and an empty DATABASE_URL'}`,
    )
  }
}
