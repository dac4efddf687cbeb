import type { Db } from '../db/open.ts'
import { AppError } from '../errors.ts'
import { findAskingCaller } from '../http/asking-client.ts'
import { findRights } from './queries.ts'

const RIGHTS = ['is_staff', 'is_admin', 'is_superuser'] as const

/**
 * Whoever asked for a change still has the session and the rights that they had as their request came: its body may have
 * taken minutes, and so may what the call waited for. What is for one's own account takes no rights, and a proved address is
 * asked for once more only by what needs one: who changes theirs may do all else meanwhile. Nothing for what no signed-in
 * person asked for.
 * @throws AppError `not_signed_in`, `forbidden`, `email_not_verified`
 */
export async function demandCaller(transaction: Db): Promise<void> {
  const caller = findAskingCaller()
  if (!caller) return
  const now = await findRights(transaction, caller.sessionId)
  if (!now) throw new AppError('not_signed_in')
  const { viewer, isForOwnAccount = false, needsVerifiedEmail } = caller
  if (isForOwnAccount) return
  if (RIGHTS.some((right) => viewer[right] && !now[right])) throw new AppError('forbidden')
  if (needsVerifiedEmail && viewer.is_email_verified && !now.is_email_verified) throw new AppError('email_not_verified')
}
