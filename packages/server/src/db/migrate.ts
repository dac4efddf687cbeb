import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { createFirstTables } from './migrations/0001-first.ts'
import { createTicketTables } from './migrations/0002-tickets.ts'
import { addTwoFactor } from './migrations/0003-two-factor.ts'
import { addProviderLogin } from './migrations/0004-provider.ts'
import { addMailState } from './migrations/0005-mail.ts'
import { addThumbnails } from './migrations/0006-thumbnails.ts'
import { addContentOrder } from './migrations/0007-content-order.ts'
import type { OpenDatabase } from './open.ts'

/**
 * Brings the schema up to date. Each step runs once, in the order of its name; on PostgreSQL under a lock, so that
 * several nodes may start together.
 * @throws Error that names the step which failed.
 */
export async function migrate({ db, engine }: OpenDatabase): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: {
      getMigrations: async () => ({
        '0001-first': { up: (transaction) => createFirstTables(transaction, engine) },
        '0002-tickets': { up: (transaction) => createTicketTables(transaction, engine) },
        '0003-two-factor': { up: (transaction) => addTwoFactor(transaction, engine) },
        '0004-provider': { up: (transaction) => addProviderLogin(transaction, engine) },
        '0005-mail': { up: (transaction) => addMailState(transaction) },
        '0006-thumbnails': { up: addThumbnails },
        '0007-content-order': { up: addContentOrder },
      }),
    },
  })
  const { error, results } = await migrator.migrateToLatest()
  if (error === undefined) return
  const failed = results?.find((result) => result.status === 'Error')
  throw new Error(`database schema: step ${failed?.migrationName ?? 'unknown'} failed`, { cause: error })
}

/** @throws when the database does not answer. */
export async function checkDatabase({ db }: Pick<OpenDatabase, 'db'>): Promise<void> {
  await sql`select 1`.execute(db)
}
