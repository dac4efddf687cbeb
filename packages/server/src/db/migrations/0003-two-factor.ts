import { sql, type ColumnDefinitionBuilder, type Kysely } from 'kysely'
import { foldCase } from '../../text/fold-case.ts'
import type { Engine } from '../open.ts'

/** Two-factor sign-in, password reset and changes of address. Each index stands here for the query named beside it. */
export async function addTwoFactor(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const idType = engine === 'sqlite' ? 'integer' : 'bigint'
  const id = (column: ColumnDefinitionBuilder) =>
    engine === 'sqlite' ? column.primaryKey().autoIncrement() : column.primaryKey().generatedByDefaultAsIdentity()
  const must = (column: ColumnDefinitionBuilder) => column.notNull()
  const oneOfUser = (column: ColumnDefinitionBuilder) => column.primaryKey().references('users.id').onDelete('cascade')
  const ofUser = (column: ColumnDefinitionBuilder) => column.notNull().references('users.id').onDelete('cascade')

  await db.schema.alterTable('users').addColumn('recovery_email', 'text', withDefault).execute()
  await db.schema.alterTable('users').addColumn('recovery_email_key', 'text', withDefault).execute()
  await fillRecoveryAddresses(db)
  // Reset: accounts by the address that a person remembers.
  await db.schema.createIndex('users_by_recovery_email').on('users').column('recovery_email_key').execute()

  await db.schema
    .createTable('authenticators')
    .addColumn('user_id', idType, oneOfUser)
    .addColumn('sealed_secret', 'text', must)
    .addColumn('confirmed_at', 'bigint', must)
    .execute()

  await db.schema
    .createTable('pending_authenticators')
    .addColumn('user_id', idType, oneOfUser)
    .addColumn('session_id', idType, (c) => c.notNull().references('sessions.id').onDelete('cascade'))
    .addColumn('sealed_secret', 'text', must)
    .addColumn('made_at', 'bigint', must)
    .execute()
  // Ends with its session.
  await db.schema
    .createIndex('pending_authenticators_of_session')
    .on('pending_authenticators')
    .column('session_id')
    .execute()

  await db.schema
    .createTable('used_codes')
    .addColumn('user_id', idType, ofUser)
    .addColumn('step', 'bigint', must)
    .addPrimaryKeyConstraint('used_codes_key', ['user_id', 'step'])
    .execute()

  await db.schema
    .createTable('recovery_codes')
    .addColumn('user_id', idType, ofUser)
    .addColumn('hash', 'text', must)
    .addPrimaryKeyConstraint('recovery_codes_key', ['user_id', 'hash'])
    .execute()

  await db.schema
    .createTable('challenges')
    .addColumn('hash', 'text', (c) => c.primaryKey())
    .addColumn('user_id', idType, ofUser)
    .addColumn('client', 'text', must)
    .addColumn('wrong_codes', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('created_at', 'bigint', must)
    .execute()
  // A code without a challenge: the newest of one person and client.
  await db.schema
    .createIndex('challenges_of_user')
    .on('challenges')
    .columns(['user_id', 'client', 'created_at'])
    .execute()
  // The hourly sweep.
  await db.schema.createIndex('challenges_by_age').on('challenges').column('created_at').execute()

  await db.schema
    .createTable('email_changes')
    .addColumn('id', idType, id)
    .addColumn('user_id', idType, ofUser)
    .addColumn('old_email', 'text', must)
    .execute()
}

/** Rows that are there already get their value right after; a column added later cannot do without a default. */
function withDefault(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder {
  return column.notNull().defaultTo(sql`''`)
}

interface UsersBefore {
  users: {
    id: number
    email: string
    verified_email: string | null
    recovery_email: string
    recovery_email_key: string
  }
}

/** Before this step no address could be changed, so the present one is the first one. */
async function fillRecoveryAddresses(db: Kysely<UsersBefore>): Promise<void> {
  const users = await db.selectFrom('users').select(['id', 'email', 'verified_email']).execute()
  for (const { id, email, verified_email } of users) {
    const recovery_email = verified_email ?? email
    await db
      .updateTable('users')
      .set({ recovery_email, recovery_email_key: foldCase(recovery_email) })
      .where('id', '=', id)
      .execute()
  }
}
