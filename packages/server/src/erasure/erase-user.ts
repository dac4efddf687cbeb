import { forgetPerson } from '../app.ts'
import { inTransaction } from '../db/in-transaction.ts'
import type { Db } from '../db/open.ts'
import { AppError } from '../errors.ts'
import { recordEvents, type EventDeps } from '../events/record-events.ts'
import { closeOtherDoors } from '../features/account/service.ts'
import { hasApprovedOthers, listErasableOfOwner } from '../features/certificates/erasure/queries.ts'
import { holdAllErasable, indexDecidedAnew } from '../features/collections/erasure/queries.ts'
import { listActiveSuperusers } from '../features/directory/queries.ts'
import { indexTakenAnew } from '../features/tickets/erasure/queries.ts'
import { holdAccounts, updateFlag } from '../features/users/accounts/queries.ts'
import { emptyAccount, findErasable, type ErasableUser } from '../features/users/erasure/queries.ts'
import { userEvents } from '../features/users/events.ts'
import { forgetMade } from '../once/make-once.ts'
import { addErased } from '../secrets/erased-list.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import type { ErasureDeps } from './erase-proof.ts'
import { eraseThings, type ErasedCounts } from './erase-things.ts'

export interface ErasedUser extends ErasedCounts {
  id: number
  /** Their name stands on proofs of others, which they approved. */
  keepsName: boolean
}

/**
 * Erases a person with all that is theirs, after their line is in the list. What others' rows refer to stays, and says
 * nothing of them.
 * @throws AppError `user_not_found`, also for who is erased already; `last_superuser`
 */
export async function eraseUser(deps: ErasureDeps, secrets: SecretBox, username: string): Promise<ErasedUser> {
  const user = await findErasable(deps.db, { username })
  if (!user) throw new AppError('user_not_found')
  await shutOut(deps.db, user.id)
  await addErased(deps.keysDir, { user: { id: user.id, mac: macUser(secrets, user) } })
  return carryOutUser(deps, user.id)
}

/** Before all else, so that what they are just about to do is done or refused by then. @throws AppError `last_superuser` */
async function shutOut(db: Db, id: number): Promise<void> {
  await inTransaction(db, async (transaction) => {
    // All of them: two commands that each leave the other's superuser would otherwise leave none.
    await holdAccounts(transaction, [id, ...(await listActiveSuperusers(transaction))])
    if (!(await updateFlag(transaction, id, { flag: 'is_active', value: false }))) throw new AppError('last_superuser')
    await closeOtherDoors(transaction, id)
  })
}

/** Erases them, their line being in the list. @throws AppError as `eraseUser` */
export function carryOutUser(deps: EventDeps, id: number): Promise<ErasedUser> {
  return recordEvents(deps, async (transaction, emit) => {
    await holdAccounts(transaction, [id, ...(await listActiveSuperusers(transaction))])
    const user = await findErasable(transaction, { id })
    if (!user) throw new AppError('user_not_found')
    if (!(await updateFlag(transaction, id, { flag: 'is_active', value: false }))) throw new AppError('last_superuser')
    const collections = await holdAllErasable(transaction, id)
    const proofs = await listErasableOfOwner(transaction, id)
    const counts = await eraseThings(transaction, emit, { collections, proofs })
    await forgetPerson(transaction, user)
    await forgetMade(transaction, id)
    const keepsName = await hasApprovedOthers(transaction, id)
    await emptyAccount(transaction, id, keepsName)
    await indexDecidedAnew(transaction, id)
    await indexTakenAnew(transaction, id)
    await emit(userEvents.user_erased(id))
    return { id, keepsName, ...counts }
  })
}

/** Another person who gets the same id after a restore has another name, or joined at another time. */
export function macUser(secrets: SecretBox, { id, username_key, joined_at }: ErasableUser): string {
  return secrets.mac(JSON.stringify([id, username_key, joined_at]), 'erased user')
}
