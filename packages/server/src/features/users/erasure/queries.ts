import type { Db } from '../../../db/open.ts'
import { foldCase } from '../../../text/fold-case.ts'
import { NO_REFUSAL } from '../mail-refusal/queries.ts'

/** Somebody who is to be erased. */
export interface ErasableUser {
  id: number
  username_key: string
  joined_at: number
  /** Of the address that is proved to be theirs; undefined where none is. */
  emailKey: string | undefined
}

/** In the place of a name and an address: with the space nobody can register it, nor is it an address. */
const nameErased = (id: number) => `(erased ${id})`

export async function findErasable(
  db: Db,
  by: { username: string } | { id: number },
): Promise<ErasableUser | undefined> {
  const row = await db
    .selectFrom('users')
    .select(['id', 'username_key', 'joined_at', 'email_key', 'is_email_verified'])
    .$if('username' in by, (query) => query.where('username_key', '=', foldCase('username' in by ? by.username : '')))
    .$if('id' in by, (query) => query.where('id', '=', 'id' in by ? by.id : 0))
    .executeTakeFirst()
  if (!row || row.email_key === nameErased(row.id)) return undefined
  const { email_key: emailKey, is_email_verified: isVerified, ...user } = row
  return { ...user, emailKey: isVerified === 1 ? emailKey : undefined }
}

/**
 * Leaves of an account what others' rows refer to, and nothing of its person.
 * @param keepsName Where it stands on proofs of others, nobody else may ever go by it.
 */
export async function emptyAccount(transaction: Db, id: number, keepsName: boolean): Promise<void> {
  const nobody = nameErased(id)
  await transaction
    .updateTable('users')
    .set({
      ...NO_REFUSAL,
      username: nobody,
      ...(!keepsName && { username_key: nobody, username_skeleton: null }),
      email: '',
      email_key: nobody,
      verified_email: null,
      recovery_email: '',
      recovery_email_key: '',
      first_name: '',
      last_name: '',
      phone_number: '',
      birthdate: null,
      password_hash: null,
      is_active: 0,
      is_staff: 0,
      is_admin: 0,
      is_superuser: 0,
      is_email_verified: 0,
      gfa_is_enabled: 0,
      last_sign_in_at: null,
    })
    .where('id', '=', id)
    .execute()
}
