import type { Person } from '@proofdesk/contract/directory'
import { sql, type ExpressionBuilder } from 'kysely'
import { toEmailPattern, toLikePattern } from '../../db/like-pattern.ts'
import { cutPage, inOrder, sortByIds, type Order, type PageCut } from '../../db/list.ts'
import type { Db, Engine } from '../../db/open.ts'
import type { Tables } from '../../db/schema.ts'
import { foldCase } from '../../text/fold-case.ts'
import { ACCOUNT_COLUMNS, toAccount, type AccountRecord } from '../users/accounts/queries.ts'
import { holdEmail, SUPERUSER, type EmailHold } from '../users/queries.ts'

export interface UserFilter {
  is_admin?: boolean | undefined
  is_staff?: boolean | undefined
  /** In usernames and addresses; blank finds all. */
  search?: string | undefined
}

// The few stand in indexes of their own; of the many nobody is to be looked up by what they are not.
const IS_ADMIN = sql<boolean>`is_admin = 1`
const IS_NO_ADMIN = sql<boolean>`is_admin <> 1`
const IS_STAFF = sql<boolean>`is_staff = 1`
const IS_NO_STAFF = sql<boolean>`is_staff <> 1`

export function matchFilter({ is_admin: isAdmin, is_staff: isStaff, search }: UserFilter) {
  return ({ and }: ExpressionBuilder<Tables, 'users'>) => {
    const conditions = []
    if (isAdmin !== undefined) conditions.push(isAdmin ? IS_ADMIN : IS_NO_ADMIN)
    if (isStaff !== undefined) conditions.push(isStaff ? IS_STAFF : IS_NO_STAFF)
    if (search?.trim()) {
      const name = toLikePattern(search)
      const email = toEmailPattern(search)
      conditions.push(sql<boolean>`(username_key like ${name} escape '!' or email_key like ${email} escape '!')`)
    }
    return and(conditions)
  }
}

export async function countAccounts(db: Db, { is_admin: isAdmin, is_staff: isStaff }: UserFilter): Promise<number> {
  const { count } = await db
    .selectFrom('user_counts')
    .select(sql<number>`cast(coalesce(sum(amount), 0) as bigint)`.as('count'))
    .$if(isAdmin !== undefined, (query) => query.where('is_admin', '=', isAdmin ? 1 : 0))
    .$if(isStaff !== undefined, (query) => query.where('is_staff', '=', isStaff ? 1 : 0))
    .executeTakeFirstOrThrow()
  return count
}

export type UserOrdering =
  | 'is_active'
  | 'is_email_verified'
  | 'date_joined'
  | 'is_admin'
  | 'is_staff'
  | 'id'
  | 'username'
  | 'email'

/** Text is ordered by its bytes on both, whatever locale a PostgreSQL was made with. */
export function toOrderExpression(by: UserOrdering, engine: Engine) {
  switch (by) {
    case 'date_joined':
      return sql.ref('joined_at')
    case 'username':
    case 'email':
      return engine === 'sqlite' ? sql.ref(`${by}_key`) : sql`${sql.ref(`${by}_key`)} collate "C"`
    case 'id':
    case 'is_active':
    case 'is_admin':
    case 'is_email_verified':
    case 'is_staff':
      return sql.ref(by)
  }
}

/**
 * One page; ties by id.
 * @scans with `collate`: PostgreSQL keeps names and addresses in an order of its locale; this one is rarely asked for.
 */
export async function listUsers(
  { reads, engine }: { reads: Db; engine: Engine },
  filter: UserFilter,
  order: Order<UserOrdering>,
  cut: PageCut,
): Promise<AccountRecord[]> {
  const rows = await reads
    .selectFrom('users')
    .select(ACCOUNT_COLUMNS)
    .where(matchFilter(filter))
    .$call(cutPage(toOrderExpression(order.by, engine), 'id', order.direction, cut))
    .execute()
  return inOrder(rows, cut).map(toAccount)
}

/** Those that are there, in the order of their ids. */
export async function listByIds(db: Db, ids: readonly number[]): Promise<AccountRecord[]> {
  if (ids.length === 0) return []
  const rows = await db.selectFrom('users').select(ACCOUNT_COLUMNS).where('id', 'in', ids).execute()
  return sortByIds(rows.map(toAccount), ids)
}

/** One account with what only superusers are shown of its row. */
export async function findAccount(
  db: Db,
  id: number,
): Promise<Omit<Person, 'may' | 'sessions' | 'has_authenticator'> | undefined> {
  const row = await db
    .selectFrom('users')
    .select([...ACCOUNT_COLUMNS, 'last_sign_in_at', 'recovery_email'])
    .where('id', '=', id)
    .executeTakeFirst()
  return (
    row && {
      ...toAccount(row),
      last_sign_in_at: row.last_sign_in_at === null ? null : new Date(row.last_sign_in_at).toISOString(),
      recovery_email: row.recovery_email,
    }
  )
}

export async function listActiveSuperusers(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('is_superuser', '=', SUPERUSER)
    .where('is_active', '=', 1)
    .execute()
  return rows.map(({ id }) => id)
}

export async function findIdByUsername(db: Db, username: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('username_key', '=', foldCase(username))
    .executeTakeFirst()
  return row?.id
}

/** Who only claimed this address loses it. */
export async function holdOwnEmail(transaction: Db, id: number, now: number): Promise<EmailHold> {
  const row = await transaction.selectFrom('users').select('email').where('id', '=', id).executeTakeFirstOrThrow()
  return holdEmail(transaction, id, row.email, now)
}
