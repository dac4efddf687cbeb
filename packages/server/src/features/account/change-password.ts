import type { changePassword } from '@proofdesk/contract/account'
import { sayEnglish } from '@proofdesk/contract/messages'
import type { Viewer } from '@proofdesk/contract/permissions'
import type { In } from '@proofdesk/contract/route'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { foldCase } from '../../text/fold-case.ts'
import { recordEvents } from '../../events/record-events.ts'
import { byClient, nameClient } from '../../http/limits.ts'
import { authEvents } from '../auth/events.ts'
import { countWrongPassword, slowStrangers } from '../auth/service.ts'
import { findPasswordHash, replacePassword } from '../users/queries.ts'
import { closeOtherDoors } from './service.ts'
import { SIGN_IN_ACCOUNT, SIGN_IN_ADDRESS } from '../auth/limits.ts'
import { accountEvents } from './events.ts'

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
  const account = foldCase(viewer.username)
  await deps.limits.watch([...byClient(SIGN_IN_ADDRESS, address), ...byClient(SIGN_IN_ACCOUNT, address, account)], () =>
    replaceOwnPassword(deps, { viewer, sessionId, address, account }, input),
  )
  return { detail: sayEnglish('password_changed') }
}

async function replaceOwnPassword(
  deps: Deps,
  { viewer, sessionId, address, account }: { viewer: Viewer; sessionId: number; address: string; account: string },
  { old_password, new_password }: In<typeof changePassword, 'body'>,
): Promise<void> {
  const client = nameClient(address)
  const guesser = { address, userId: viewer.id, account }
  const stored = await slowStrangers(deps, guesser, async () => {
    const hash = await findPasswordHash(deps.reads, viewer.id)
    const matches = await deps.passwords.matches(hash, old_password, client)
    if (matches && hash !== null) return hash
    await countWrongPassword(deps, guesser, authEvents.confirmation_failed(viewer.id))
    throw refuseOldPassword()
  })
  const next = await deps.passwords.hash(new_password, client)
  const isReplaced = await recordEvents(deps, async (transaction, emit) => {
    if (!(await replacePassword(transaction, viewer.id, stored, next))) return false
    await closeOtherDoors(transaction, viewer.id, sessionId)
    await emit(accountEvents.password_changed(viewer.id))
    return true
  })
  if (!isReplaced) throw refuseOldPassword()
}

function refuseOldPassword(): AppError {
  return new AppError('old_password_wrong', { fields: { old_password: [sayEnglish('old_password_wrong')] } })
}
