import type { ColumnDefinitionBuilder, Kysely } from 'kysely'
import type { Engine } from '../open.ts'

/** What limits need to remember longer than a process lives, and fair turns in the outbox. */
export async function addLimits(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const idType = engine === 'sqlite' ? 'integer' : 'bigint'
  const must = (column: ColumnDefinitionBuilder) => column.notNull()

  await db.schema
    .createTable('known_networks')
    .addColumn('user_id', idType, (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('mark', 'text', must)
    .addColumn('used_at', 'bigint', must)
    .addPrimaryKeyConstraint('known_networks_key', ['user_id', 'mark'])
    .execute()
  // The hourly sweep.
  await db.schema.createIndex('known_networks_by_age').on('known_networks').column('used_at').execute()

  // Steps from before named no program: a code without a challenge fits none of them, and they end within minutes.
  await db.schema
    .alterTable('challenges')
    .addColumn('agent', 'text', (c) => c.notNull().defaultTo(''))
    .execute()
  await db.schema
    .alterTable('challenges')
    .addColumn('bare_wrong_codes', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()

  await db.schema.alterTable('outbox').addColumn('asked_by', idType).execute()
  await db.schema
    .alterTable('outbox')
    .addColumn('turn', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute()
}
