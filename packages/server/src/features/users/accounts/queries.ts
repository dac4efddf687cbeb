import type { ManagedUser, UserFlagChange } from '@proofdesk/contract/directory'
import type { Viewer } from '@proofdesk/contract/permissions'
import type { ExpressionBuilder } from 'kysely'
import type { Db } from '../../../db/open.ts'
import type { Tables, UserRow } from '../../../db/schema.ts'
import { SUPERUSER, toViewer } from '../queries.ts'

export const ACCOUNT_COLUMNS = [
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

export type AccountRow = Pick<UserRow, Exclude<(typeof ACCOUNT_COLUMNS)[number], 'id'>> & { id: number }

/** An account as the users screen lists it, without what the viewer may do with it. */
export type AccountRecord = Omit<ManagedUser, 'may'>

export function toAccount(row: AccountRow): AccountRecord {
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

/** An account whose row is held. */
export interface HeldAccount {
  /** As the permission rules know people and accounts. */
  facts: Viewer & { email: string }
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
      .returning(ACCOUNT_COLUMNS)
      .executeTakeFirst()
    if (!row) continue
    const facts = { ...toViewer(row), email: row.email }
    held.set(id, { facts, isActive: row.is_active === 1, hasTwoFactor: row.gfa_is_enabled === 1 })
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
  const row = await (endsSuperuser ? update.where(isNoLastSuperuser(id)) : update)
    .returning(ACCOUNT_COLUMNS)
    .executeTakeFirst()
  return row && toAccount(row)
}

function isNoLastSuperuser(id: number) {
  return ({ eb, or, exists, selectFrom }: ExpressionBuilder<Tables, 'users'>) =>
    or([
      eb('is_superuser', '=', 0),
      eb('is_active', '=', 0),
      exists(
        selectFrom('users as other')
          .select('other.id')
          .where('other.is_superuser', '=', SUPERUSER)
          .where('other.is_active', '=', 1)
          .where('other.id', '!=', id),
      ),
    ])
}
