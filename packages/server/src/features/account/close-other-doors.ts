import type { Db } from '../../db/open.ts'
import { withdraw } from '../../outbox/outbox.ts'
import { deleteResetLinks, deleteVerificationLinks } from '../auth/queries.ts'
import { deleteSessionsOfUser } from '../sessions/queries.ts'
import { deleteChallenges } from '../two-factor/queries.ts'
import { findRecoveryAddress } from '../users/queries.ts'

/**
 * After a new password nothing that was opened under the old one stays open: other sessions, sign-ins that wait for a
 * code, reset links. An address that was entered but never proved gets no chance to be proved by an older link either:
 * whoever had the old password could have put it there to take the account over by a reset.
 * Deactivating somebody closes the same doors.
 * @param keptSessionId Undefined: no session stays.
 */
export async function closeOtherDoors(transaction: Db, userId: number, keptSessionId?: number): Promise<void> {
  await deleteSessionsOfUser(transaction, userId, keptSessionId)
  await deleteChallenges(transaction, userId)
  await deleteResetLinks(transaction, userId)
  const user = await findRecoveryAddress(transaction, userId)
  if (!user || user.email === user.recoveryEmail) return
  await deleteVerificationLinks(transaction, userId)
  await withdraw(transaction, 'verification_mail', { user_id: userId })
}
