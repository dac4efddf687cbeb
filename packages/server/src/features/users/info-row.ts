import type { UserInfo } from '@proofdesk/contract/users'
import type { UserRow } from '../../db/schema.ts'

export const INFO_COLUMNS = [
  'id',
  'email',
  'username',
  'is_staff',
  'is_admin',
  'is_superuser',
  'is_active',
  'is_email_verified',
  'mail_refused_at',
  'mail_refused_words',
] as const

type Made = 'id' | 'mail_refused_at' | 'mail_refused_words'

export type InfoRow = Pick<UserRow, Exclude<(typeof INFO_COLUMNS)[number], Made>> & {
  id: number
  mail_refused_at: number | null
  mail_refused_words: string | null
}

/** The row in the shape `/user/info` shows. */
export function toUserInfo(row: InfoRow): UserInfo {
  const { mail_refused_at: refusedAt, mail_refused_words: words } = row
  return {
    id: row.id,
    email: row.email,
    username: row.username,
    is_staff: row.is_staff === 1,
    is_admin: row.is_admin === 1,
    is_superuser: row.is_superuser === 1,
    is_active: row.is_active === 1,
    is_email_verified: row.is_email_verified === 1,
    mail_refusal: refusedAt === null ? null : { at: new Date(refusedAt).toISOString(), words },
  }
}
