import type { Db } from '../../../db/open.ts'
import { toEmailKey } from '../../../text/email-key.ts'

/** @returns false where they have another address by now, or are gone */
export async function markMailRefused(
  transaction: Db,
  id: number,
  address: string,
  { at, words }: { at: number; words: string | null },
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('users')
    .set({ mail_refused_at: at, mail_refused_words: words })
    .where('id', '=', id)
    .where('email_key', '=', toEmailKey(address))
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Of an address that was proved, or is another one. */
export const NO_REFUSAL = { mail_refused_at: null, mail_refused_words: null } as const
