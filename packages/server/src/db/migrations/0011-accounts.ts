import type { Kysely } from 'kysely'
import { toUsernameSkeleton } from '../../text/username-skeleton.ts'

/** Usernames that look alike, sessions with where they came from, and the pair that took a traded token's place. */
export async function addAccountRules(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('users').addColumn('username_skeleton', 'text').execute()
  await db.schema.alterTable('users').addColumn('last_sign_in_at', 'bigint').execute()
  await db.schema.alterTable('sessions').addColumn('last_used_at', 'bigint').execute()
  await db.schema.alterTable('sessions').addColumn('browser', 'text').execute()
  await db.schema.alterTable('sessions').addColumn('system', 'text').execute()
  await db.schema.alterTable('sessions').addColumn('network', 'text').execute()
  await db.schema.alterTable('session_tokens').addColumn('successor', 'text').execute()
  const typed = db as Kysely<TablesThen>
  await fillSkeletons(typed)
  await fillSignIns(typed)
  // Registration: is there a name that looks like this one? Old accounts that clash have none.
  await db.schema.createIndex('users_by_skeleton').unique().on('users').column('username_skeleton').execute()
}

interface TablesThen {
  users: { id: number; username: string; username_skeleton: string | null; last_sign_in_at: number | null }
  sessions: { user_id: number; created_at: number; last_used_at: number | null }
}

/** Of accounts that look alike already the oldest has the skeleton; all keep their names. */
async function fillSkeletons(db: Kysely<TablesThen>): Promise<void> {
  const users = await db.selectFrom('users').select(['id', 'username']).orderBy('id').execute()
  const taken = new Set<string>()
  for (const { id, username } of users) {
    const skeleton = toUsernameSkeleton(username)
    if (taken.has(skeleton)) continue
    taken.add(skeleton)
    await db.updateTable('users').set({ username_skeleton: skeleton }).where('id', '=', id).execute()
  }
}

/** Sessions from before were used when they began, as far as is known; the newest of each person was their sign-in. */
async function fillSignIns(db: Kysely<TablesThen>): Promise<void> {
  await db
    .updateTable('sessions')
    .set(({ ref }) => ({ last_used_at: ref('created_at') }))
    .execute()
  await db
    .updateTable('users')
    .set(({ selectFrom }) => ({
      last_sign_in_at: selectFrom('sessions')
        .select((of) => of.fn.max('sessions.created_at').as('at'))
        .whereRef('sessions.user_id', '=', 'users.id'),
    }))
    .execute()
}
