import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { sql, type Kysely } from 'kysely'
import { openEmptyDatabase, type TestEngine } from '../../testing/engines.ts'
import { openMigrator } from '../migrate.ts'
import type { Db, OpenDatabase } from '../open.ts'

/** A database as the version before a step left it. */
export interface DatabaseBefore extends OpenDatabase {
  /** With the columns of that time: today's queries may know more of them. */
  old: Kysely<Record<string, Record<string, unknown>>>
  /** Takes the step, or all up to a later one. */
  migrateTo(step?: string): Promise<void>
}

/** @param step Its name in `migrate.ts`. */
export async function openBefore(t: TestContext, engine: TestEngine, step: string): Promise<DatabaseBefore> {
  const database = await openEmptyDatabase(t, engine)
  const migrator = openMigrator(database)
  const migrateTo = async (name: string) => assert.equal((await migrator.migrateTo(name)).error, undefined)
  const names = (await migrator.getMigrations()).map(({ name }) => name)
  await migrateTo(names[names.indexOf(step) - 1]!)
  const old = database.db as unknown as DatabaseBefore['old']
  return { ...database, old, migrateTo: (name = step) => migrateTo(name) }
}

/** Somebody, in any version of the table. */
export async function insertOldUser(db: Db, username = 'ada', email = 'a@b'): Promise<void> {
  await sql`insert into users (username, username_key, email, email_key, first_name, last_name, phone_number, joined_at)
    values (${username}, ${username.toLowerCase()}, ${email}, ${email.toLowerCase()}, '', '', '', 1)`.execute(db)
}
