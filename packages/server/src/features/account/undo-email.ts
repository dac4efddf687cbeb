import { sayEnglish } from '@proofdesk/contract/messages'
import type { Db } from '../../db/open.ts'
import { isUniqueViolation } from '../../db/unique-violation.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { isWanted } from '../../outbox/outbox.ts'
import { hashToken, looksLikeToken } from '../../secrets/tokens.ts'
import { deleteVerificationLinks } from '../auth/queries.ts'
import { providerEvents } from '../provider-login/events.ts'
import { deleteIdentitiesSince } from '../provider-login/queries.ts'
import { twoFactorEvents } from '../two-factor/events.ts'
import { deleteTwoFactorSince } from '../two-factor/queries.ts'
import type { TakenBack } from '../users/work.ts'
import { holdUser, restoreEmail, setTwoFactorFlag } from '../users/queries.ts'
import { closeOtherDoors } from './service.ts'
import { recordEvents, type Emit } from '../../events/record-events.ts'
import { accountEvents } from './events.ts'
import { deleteOldEmailChange, findUndo, listOldEmailChanges, takeUndo } from './queries.ts'
import { emailChangedMail } from './work.ts'

/**
 * Gives an account its old address back, by the link that was mailed there. Whoever changed it keeps nothing: all
 * sessions and mailed links end, and so do providers that were linked, and an authenticator and recovery codes that were set
 * up since.
 * @throws AppError `link_invalid`, also once an earlier change was taken back
 */
export async function undoEmailChange(deps: Deps, token: string): Promise<{ detail: string; username: string }> {
  if (!looksLikeToken(token)) throw new AppError('link_invalid')
  const change = await findUndo(deps.reads, hashToken(token), deps.now())
  if (!change) throw new AppError('link_invalid')
  const { id, userId, oldEmail, changedAt } = change
  try {
    const user = await recordEvents(deps, async (transaction, emit) => {
      await holdUser(transaction, userId)
      const isTaken = await takeUndo(transaction, userId, id)
      if (!isTaken) throw new AppError('link_invalid')
      const restored = await restoreEmail(transaction, userId, oldEmail)
      await deleteVerificationLinks(transaction, userId)
      await closeOtherDoors(transaction, userId)
      await emit(
        accountEvents.email_change_undone(userId, [
          ...(await takeProvidersBack(transaction, emit, userId, changedAt)),
          ...(await takeTwoFactorBack(transaction, emit, userId, changedAt)),
        ]),
      )
      return restored
    })
    return { detail: sayEnglish('email_change_undone'), username: user.username }
  } catch (error) {
    // An account from before addresses were kept.
    if (isUniqueViolation(error)) throw new AppError('link_invalid', { cause: error })
    throw error
  }
}

/** One mail tells of all that was taken back, since whoever reads it did one thing. */
const UNTOLD = { isNews: false }

async function takeProvidersBack(transaction: Db, emit: Emit, userId: number, since: number): Promise<TakenBack[]> {
  const unlinked = await deleteIdentitiesSince(transaction, userId, since)
  for (const id of unlinked) await emit(providerEvents.provider_unlinked(userId, id, UNTOLD))
  return unlinked.length > 0 ? ['providers'] : []
}

async function takeTwoFactorBack(transaction: Db, emit: Emit, userId: number, since: number): Promise<TakenBack[]> {
  const forgotten = await deleteTwoFactorSince(transaction, userId, since)
  if (forgotten !== 'authenticator') return forgotten ? [forgotten] : []
  if (!(await setTwoFactorFlag(transaction, userId, false))) return []
  await emit(twoFactorEvents.two_factor_off(userId, UNTOLD))
  return ['two_factor']
}

/** Runs every hour. Those whose mail is still to be sent stay, also where the last try to send it was a day ago. */
export async function sweepEmailChanges({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<void> {
  for (const id of await listOldEmailChanges(db, now()))
    if (!(await isWanted(db, emailChangedMail({ email_change_id: id })))) await deleteOldEmailChange(db, id, now())
}
