import { sql } from 'kysely'
import { DEFAULT_MIGRATION_TABLE, Migrator } from 'kysely/migration'
import { createFirstTables } from './migrations/0001-first.ts'
import { createTicketTables } from './migrations/0002-tickets.ts'
import { addTwoFactor } from './migrations/0003-two-factor.ts'
import { addProviderLogin } from './migrations/0004-provider.ts'
import { addMailState } from './migrations/0005-mail.ts'
import { addThumbnails } from './migrations/0006-thumbnails.ts'
import { addContentOrder } from './migrations/0007-content-order.ts'
import { addConfirmation } from './migrations/0008-confirmation.ts'
import { addIdentities } from './migrations/0009-identities.ts'
import { addLimits } from './migrations/0010-limits.ts'
import { addAccountRules } from './migrations/0011-accounts.ts'
import { addProofMacs } from './migrations/0013-proof-macs.ts'
import { addSavedReasons } from './migrations/0015-saved-reasons.ts'
import { addTitlesAndReads } from './migrations/0016-titles-and-reads.ts'
import { addUploadIds } from './migrations/0017-upload-ids.ts'
import { addReadIndexes } from './migrations/0019-read-indexes.ts'
import { addAuditTrail } from './migrations/0020-audit-trail.ts'
import { addSubmissions } from './migrations/0021-submissions.ts'
import { addReviewDocuments } from './migrations/0022-review-documents.ts'
import { addCounters } from './migrations/0023-counters.ts'
import { addSearchIndex } from './migrations/0024-search-index.ts'
import { addLog } from './migrations/0026-log.ts'
import { addProofChanges } from './migrations/0027-proof-changes.ts'
import { addFileRounds } from './migrations/0031-file-rounds.ts'
import { addWitnesses } from './migrations/0032-witnesses.ts'
import { addStatusPages } from './migrations/0033-status-pages.ts'
import { addSharedLimits } from './migrations/0034-shared-limits.ts'
import { addStoredRounds } from './migrations/0037-stored-rounds.ts'
import { addMailRefusals } from './migrations/0038-mail-refusals.ts'
import { addNodes } from './migrations/0040-nodes.ts'
import { addCertifiedRounds } from './migrations/0041-certified-rounds.ts'
import { renewEmailKeys } from './migrations/0042-email-keys.ts'
import { addRecoveryCodeTimes } from './migrations/0043-recovery-code-times.ts'
import { addAuditIndexes } from './migrations/0044-audit-indexes.ts'
import { addReminderSpans } from './migrations/0045-reminder-marks.ts'
import { addDecidedIndex } from './migrations/0046-decided-index.ts'
import { addNotificationFiles } from './migrations/0047-notification-files.ts'
import { addToldReminders } from './migrations/0048-told-reminders.ts'
import { addToldReturns } from './migrations/0049-told-returns.ts'
import { addErasure } from './migrations/0050-erasure.ts'
import { addMadeOnce } from './migrations/0051-made-once.ts'
import { addPictured } from './migrations/0052-pictured.ts'
import type { Db, OpenDatabase } from './open.ts'

/** The database was changed by a newer version of the program, which this one must not touch. */
export class NewerSchema extends Error {
  override readonly name = 'NewerSchema'
  /** The newest step it knows, which this program does not. */
  readonly step: string

  constructor(step: string) {
    super(`the database has the step ${step}, which this version does not know`)
    this.step = step
  }
}

/** The database was left by an older version of the program, and whoever looks at it may not change it. */
export class OlderSchema extends Error {
  override readonly name = 'OlderSchema'

  constructor(step: string) {
    super(`the database lacks the step ${step}`)
  }
}

/** Each step runs once, in the order of its name; on PostgreSQL under a lock, so that several nodes may start together. */
export function openMigrator({ db, engine }: Pick<OpenDatabase, 'db' | 'engine'>): Migrator {
  return new Migrator({
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
        '0008-confirmation': { up: addConfirmation },
        '0009-identities': { up: (transaction) => addIdentities(transaction, engine) },
        '0010-limits': { up: (transaction) => addLimits(transaction, engine) },
        '0011-accounts': { up: addAccountRules },
        '0013-proof-macs': { up: addProofMacs },
        '0015-saved-reasons': { up: (transaction) => addSavedReasons(transaction, engine) },
        '0016-titles-and-reads': { up: (transaction) => addTitlesAndReads(transaction, engine) },
        '0017-upload-ids': { up: addUploadIds },
        '0019-read-indexes': { up: addReadIndexes },
        '0020-audit-trail': { up: (transaction) => addAuditTrail(transaction, engine) },
        '0021-submissions': { up: (transaction) => addSubmissions(transaction, engine) },
        '0022-review-documents': { up: (transaction) => addReviewDocuments(transaction, engine) },
        '0023-counters': { up: (transaction) => addCounters(transaction, engine) },
        '0024-search-index': { up: (transaction) => addSearchIndex(transaction, engine) },
        '0026-log': { up: (transaction) => addLog(transaction, engine) },
        '0027-proof-changes': { up: (transaction) => addProofChanges(transaction, engine) },
        '0031-file-rounds': { up: (transaction) => addFileRounds(transaction, engine) },
        '0032-witnesses': { up: (transaction) => addWitnesses(transaction, engine) },
        '0033-status-pages': { up: (transaction) => addStatusPages(transaction, engine) },
        '0034-shared-limits': { up: (transaction) => addSharedLimits(transaction, engine) },
        '0037-stored-rounds': { up: (transaction) => addStoredRounds(transaction, engine) },
        '0038-mail-refusals': { up: addMailRefusals },
        '0040-nodes': { up: addNodes },
        '0041-certified-rounds': { up: addCertifiedRounds },
        '0042-email-keys': { up: renewEmailKeys },
        '0043-recovery-code-times': { up: addRecoveryCodeTimes },
        '0044-audit-indexes': { up: addAuditIndexes },
        '0045-reminder-marks': { up: addReminderSpans },
        '0046-decided-index': { up: addDecidedIndex },
        '0047-notification-files': { up: addNotificationFiles },
        '0048-told-reminders': { up: addToldReminders },
        '0049-told-returns': { up: addToldReturns },
        '0050-erasure': { up: (transaction) => addErasure(transaction, engine) },
        '0051-made-once': { up: addMadeOnce },
        '0052-pictured': { up: addPictured },
      }),
    },
  })
}

/**
 * Brings the schema up to date.
 * @throws NewerSchema before anything is changed; Error that names the step which failed.
 */
export async function migrate({ db, engine }: Pick<OpenDatabase, 'db' | 'engine'>): Promise<void> {
  const migrator = openMigrator({ db, engine })
  await refuseNewer(db, migrator)
  const { error, results } = await migrator.migrateToLatest()
  if (error === undefined) return
  const failed = results?.find((result) => result.status === 'Error')
  throw new Error(`database schema: step ${failed?.migrationName ?? 'unknown'} failed`, { cause: error })
}

/** Changes nothing. @throws NewerSchema @throws OlderSchema */
export async function mustBeUpToDate({ db, engine }: Pick<OpenDatabase, 'db' | 'engine'>): Promise<void> {
  const migrator = openMigrator({ db, engine })
  await refuseNewer(db, migrator)
  const missing = (await migrator.getMigrations()).find(({ executedAt }) => executedAt === undefined)
  if (missing) throw new OlderSchema(missing.name)
}

/** Whether this program, of whatever version, has put its tables there. */
export async function hasMigrated(db: Db): Promise<boolean> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  return tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)
}

async function refuseNewer(db: Db, migrator: Migrator): Promise<void> {
  if (!(await hasMigrated(db))) return
  const { rows } = await sql<{
    name: string
  }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name`.execute(db)
  const known = new Set((await migrator.getMigrations()).map(({ name }) => name))
  const unknown = rows.findLast(({ name }) => !known.has(name))
  if (unknown) throw new NewerSchema(unknown.name)
}

/** @throws when the database does not answer. */
export async function checkDatabase({ db }: Pick<OpenDatabase, 'db'>): Promise<void> {
  await sql`select 1`.execute(db)
}
