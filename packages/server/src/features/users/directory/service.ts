import type { PageOf } from '@proofdesk/contract/paging'
import { canManageUsers, canSetUserFlag, type Viewer } from '@proofdesk/contract/permissions'
import type { In } from '@proofdesk/contract/route'
import type { listUsers as listRoute, ManagedUser, UserFlagChange } from '@proofdesk/contract/users'
import type { Db } from '../../../db/open.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { toOffset, toPage } from '../../../http/page-links.ts'
import { enqueue } from '../../../outbox/outbox.ts'
import * as queries from './queries.ts'
import type { UserOrdering } from './queries.ts'

/** What stands to the right of users and that a change of a flag reaches. */
export interface FlagEffects {
  /** Ends all sessions of a person and every way back into one, in the transaction that deactivates them. */
  shutOut: (transaction: Db, userId: number) => Promise<void>
  /** Whether they have an authenticator app that was confirmed, in force or not. */
  hasAuthenticator: (transaction: Db, userId: number) => Promise<boolean>
}

/**
 * A page of all accounts.
 * @param address Path and query of the request, for the links to the neighbours.
 * @throws AppError `forbidden` for everyone but admins and superusers, `page_not_found` past the end.
 */
export async function listAccounts(
  deps: Pick<Deps, 'reads' | 'engine'>,
  viewer: Viewer,
  query: In<typeof listRoute, 'query'>,
  address: string,
): Promise<PageOf<ManagedUser>> {
  if (!canManageUsers(viewer)) throw new AppError('forbidden')
  const count = await queries.countUsers(deps.reads, query)
  const offset = toOffset(query.page, count)
  const results = await queries.listUsers(deps, query, toOrder(query.ordering), offset)
  return toPage(address, query.page, count, results)
}

function toOrder(ordering: In<typeof listRoute, 'query'>['ordering'] = '-date_joined') {
  const isDescending = ordering.startsWith('-')
  return {
    by: (isDescending ? ordering.slice(1) : ordering) as UserOrdering,
    direction: isDescending ? ('desc' as const) : ('asc' as const),
  }
}

/**
 * Sets one flag of an account. Doer and account are judged as they are when it happens: of two people who change each
 * other's rights at once, the second is judged by what the first has left them.
 * Who loses their second step without having asked for it is told by mail.
 * @throws AppError `forbidden`, `email_not_verified`, `own_account_active`, `user_not_found`, `authenticator_missing`
 */
export async function changeFlag(
  { db, now, outbox }: Pick<Deps, 'db' | 'now' | 'outbox'>,
  effects: FlagEffects,
  viewer: Viewer,
  id: number,
  change: UserFlagChange,
): Promise<ManagedUser> {
  // Before anything else: others do not learn which ids there are.
  if (!canManageUsers(viewer)) throw new AppError('forbidden')
  const user = await db.transaction().execute(async (transaction) => {
    const held = await queries.holdAccounts(transaction, [viewer.id, id])
    const doer = held.get(viewer.id)
    const account = held.get(id)
    if (!doer?.isActive) throw new AppError('not_signed_in')
    if (!canManageUsers(doer.facts)) throw new AppError('forbidden')
    if (!account) throw new AppError('user_not_found')
    if (!canSetUserFlag(doer.facts, account.facts, change.flag, change.value)) throw explainRefusal(doer.facts, id)
    // Nobody could sign in with a second step that was never set up.
    if (change.flag === 'gfa_is_enabled' && change.value && !(await effects.hasAuthenticator(transaction, id)))
      throw new AppError('authenticator_missing')
    const changed = await queries.updateFlag(transaction, id, change)
    if (!changed) throw new AppError('forbidden')
    if (change.flag === 'is_active' && !change.value) await effects.shutOut(transaction, id)
    if (change.flag === 'gfa_is_enabled' && !change.value && account.hasTwoFactor)
      await enqueue(transaction, now(), 'security_mail', { user_id: id, event: 'two_factor_off' })
    return changed
  })
  outbox.ring()
  return user
}

function explainRefusal(doer: Viewer, id: number): AppError {
  if (!doer.is_email_verified) return new AppError('email_not_verified')
  // The one thing a superuser may not do to a verified account.
  return new AppError(doer.is_superuser && doer.id === id ? 'own_account_active' : 'forbidden')
}
