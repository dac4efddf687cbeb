import type { changePassword } from '@proofdesk/contract/account'
import { sayEnglish } from '@proofdesk/contract/messages'
import type { Viewer } from '@proofdesk/contract/permissions'
import type { In } from '@proofdesk/contract/route'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { foldCase } from '../../fold-case.ts'
import { nameClient, type Attempt } from '../../http/limits.ts'
import { enqueue } from '../../outbox/outbox.ts'
import { findPasswordHash, replacePassword } from '../users/queries.ts'
import { closeOtherDoors } from './close-other-doors.ts'

/**
 * Sets a new password; the caller's session stays, all others end, and the person is told by mail. Guesses count like
 * those of signing in.
 * @throws AppError `old_password_wrong`, also for all but one of several changes at once; `rate_limited`, `busy`
 */
export async function changeOwnPassword(
  deps: Deps,
  { viewer, sessionId, address }: { viewer: Viewer; sessionId: number; address: string },
  input: In<typeof changePassword, 'body'>,
): Promise<{ detail: string }> {
  const client = nameClient(address)
  const attempt = await deps.limits.attempt(
    { name: 'sign_in_address', key: client },
    { name: 'sign_in_account', key: `${client} ${foldCase(viewer.username)}` },
  )
  const hashes = await matchAndHash(deps, viewer.id, input, attempt)
  if (!hashes) throw refuseOldPassword()
  const isReplaced = await deps.db.transaction().execute(async (transaction) => {
    if (!(await replacePassword(transaction, viewer.id, hashes.old, hashes.new))) return false
    await closeOtherDoors(transaction, viewer.id, sessionId)
    await enqueue(transaction, deps.now(), 'security_mail', { user_id: viewer.id, event: 'password_changed' })
    return true
  })
  if (!isReplaced) throw refuseOldPassword()
  await attempt.forgive()
  deps.outbox.ring()
  return { detail: sayEnglish('password_changed') }
}

/** A server that is too busy to look is no failure of the caller. */
async function matchAndHash(
  { reads, passwords }: Deps,
  userId: number,
  input: In<typeof changePassword, 'body'>,
  attempt: Attempt,
): Promise<{ old: string; new: string } | undefined> {
  const stored = await findPasswordHash(reads, userId)
  try {
    const matches = await passwords.matches(stored, input.old_password)
    return matches && stored !== null ? { old: stored, new: await passwords.hash(input.new_password) } : undefined
  } catch (error) {
    await attempt.forgive()
    throw error
  }
}

function refuseOldPassword(): AppError {
  return new AppError('old_password_wrong', { fields: { old_password: [sayEnglish('old_password_wrong')] } })
}
