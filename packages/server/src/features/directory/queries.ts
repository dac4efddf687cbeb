import { PAGE_SIZE } from '@proofdesk/contract/limits'
import type { Viewer } from '@proofdesk/contract/permissions'
import type { ManagedUser, Person, UserFlagChange } from '@proofdesk/contract/users'
import { sql, type ExpressionBuilder } from 'kysely'
import { toLikePattern } from '../../../db/like-pattern.ts'
import type { Db, Engine } from '../../../db/open.ts'
import type { Tables, UserRow } from '../../../db/schema.ts'
import { foldCase } from '../../../fold-case.ts'
import { holdEmail, toViewer, type EmailHold } from '../queries.ts'

const COLUMNS = [
  'id',
  'username',
  'email',
  'first_name',
  'last_name',
  'joined_at',
  'is_active',
  'is_admin',
  'is_staff',
  'is_superuser',
  'is_email_verified',
  'gfa_is_enabled',
] as const

type ManagedRow = Pick<UserRow, Exclude<(typeof COLUMNS)[number], 'id'>> & { id: number }

/** An account as the users screen lists it, without what the viewer may do with it. */
export type AccountRecord = Omit<ManagedUser, 'may'>

function toAccount(row: ManagedRow): AccountRecord {
  return {
    id: row.id,
    username: row.username,
    email: row.email,
    first_name: row.first_name,
    last_name: row.last_name,
    date_joined: new Date(row.joined_at).toISOString(),
    is_active: row.is_active === 1,
    is_admin: row.is_admin === 1,
    is_staff: row.is_staff === 1,
    is_superuser: row.is_superuser === 1,
    is_email_verified: row.is_email_verified === 1,
    gfa_is_enabled: row.gfa_is_enabled === 1,
  }
}

export interface UserFilter {
  is_admin?: boolean | undefined
  is_staff?: boolean | undefined
  /** In usernames and addresses; blank finds all. */
  search?: string | undefined
}

function matchFilter({ is_admin: isAdmin, is_staff: isStaff, search }: UserFilter) {
  return ({ eb, and }: ExpressionBuilder<Tables, 'users'>) => {
    const conditions = []
    if (isAdmin !== undefined) conditions.push(eb('is_admin', '=', isAdmin ? 1 : 0))
    if (isStaff !== undefined) conditions.push(eb('is_staff', '=', isStaff ? 1 : 0))
    if (search?.trim()) {
      const pattern = toLikePattern(search)
      conditions.push(sql<boolean>`(username_key like ${pattern} escape '!' or email_key like ${pattern} escape '!')`)
    }
    return and(conditions)
  }
}

export async function countUsers(db: Db, filter: UserFilter): Promise<number> {
  const { count } = await db
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(matchFilter(filter))
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
function toOrderExpression(by: UserOrdering, engine: Engine) {
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

/** One page; ties by id. */
export async function listUsers(
  { reads, engine }: { reads: Db; engine: Engine },
  filter: UserFilter,
  order: { by: UserOrdering; direction: 'asc' | 'desc' },
  offset: number,
): Promise<AccountRecord[]> {
  const rows = await reads
    .selectFrom('users')
    .select(COLUMNS)
    .where(matchFilter(filter))
    .orderBy(toOrderExpression(order.by, engine), order.direction)
    .orderBy('id', order.direction)
    .limit(PAGE_SIZE)
    .offset(offset)
    .execute()
  return rows.map(toAccount)
}

/** One account with what only superusers are shown of its row. */
export async function findAccount(
  db: Db,
  id: number,
): Promise<Omit<Person, 'may' | 'sessions' | 'has_authenticator'> | undefined> {
  const row = await db
    .selectFrom('users')
    .select([...COLUMNS, 'last_sign_in_at', 'recovery_email'])
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
    .where('is_superuser', '=', 1)
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

/** An account whose row is held. */
export interface HeldAccount {
  /** As the permission rules know people. */
  facts: Viewer
  isActive: boolean
  hasTwoFactor: boolean
}

/**
 * Holds accounts until the end of the transaction: what is read of them stays true. Always in the order of their ids,
 * so that two people who change each other at once wait instead of blocking one another.
 */
export async function holdAccounts(transaction: Db, ids: readonly number[]): Promise<Map<number, HeldAccount>> {
  const held = new Map<number, HeldAccount>()
  for (const id of new Set(ids.toSorted((a, b) => a - b))) {
    const row = await transaction
      .updateTable('users')
      .set(({ ref }) => ({ is_active: ref('is_active') }))
      .where('id', '=', id)
      .returning(COLUMNS)
      .executeTakeFirst()
    if (!row) continue
    held.set(id, { facts: toViewer(row), isActive: row.is_active === 1, hasTwoFactor: row.gfa_is_enabled === 1 })
  }
  return held
}

/**
 * Sets one flag. Verifying an address by hand lets its person work; it proves nothing, so a password reset goes where it
 * went before: whoever took the account over may have put the address there.
 * @returns undefined when it would leave no active superuser, or when the account is missing.
 */
export async function updateFlag(
  transaction: Db,
  id: number,
  { flag, value }: UserFlagChange,
): Promise<AccountRecord | undefined> {
  const update = transaction
    .updateTable('users')
    .set({ [flag]: value ? 1 : 0 })
    .where('id', '=', id)
  const endsSuperuser = (flag === 'is_active' || flag === 'is_superuser') && !value
  const row = await (endsSuperuser ? update.where(isNoLastSuperuser(id)) : update).returning(COLUMNS).executeTakeFirst()
  return row && toAccount(row)
}

/** Who only claimed this address loses it. */
export async function holdOwnEmail(transaction: Db, id: number, now: number): Promise<EmailHold> {
  const row = await transaction.selectFrom('users').select('email').where('id', '=', id).executeTakeFirstOrThrow()
  return holdEmail(transaction, id, row.email, now)
}

function isNoLastSuperuser(id: number) {
  return ({ eb, or, exists, selectFrom }: ExpressionBuilder<Tables, 'users'>) =>
    or([
      eb('is_superuser', '=', 0),
      eb('is_active', '=', 0),
      exists(
        selectFrom('users as other')
          .select('other.id')
          .where('other.is_superuser', '=', 1)
          .where('other.is_active', '=', 1)
          .where('other.id', '!=', id),
      ),
    ])
}
