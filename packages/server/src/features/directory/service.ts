import type { SearchPageOf } from '@proofdesk/contract/paging'
import {
  listUserRights,
  whyNotManageUsers,
  whyNotSeePerson,
  whyNotSetUserFlag,
  type Viewer,
} from '@proofdesk/contract/permissions'
import type { In } from '@proofdesk/contract/route'
import type { listUsers as listRoute, ManagedUser, Person, UserFlagChange } from '@proofdesk/contract/directory'
import { chooseReads, toOrder } from '../../db/list.ts'
import type { Db } from '../../db/open.ts'
import { againIfTaken } from '../../db/unique-violation.ts'
import type { Deps } from '../../deps.ts'
import { AppError, refuse } from '../../errors.ts'
import { awaitTurn } from '../../http/one-a-turn.ts'
import { showFound, showPage } from '../../http/page-links.ts'
import { recordEvents, type Emit, type EventDeps } from '../../events/record-events.ts'
import { recordView } from '../../events/record-view.ts'
import { closeOtherDoors } from '../account/service.ts'
import { endSessionsOf, listSessions } from '../sessions/service.ts'
import { hasAuthenticator } from '../two-factor/service.ts'
import { holdAccounts, updateFlag, type AccountRecord } from '../users/accounts/queries.ts'
import { listFoundIds } from './search/queries.ts'
import * as queries from './queries.ts'
import type { UserOrdering } from './queries.ts'
import { directoryEvents } from './events.ts'

/**
 * A page of all accounts.
 * @param address Path and query of the request, for the links to the neighbours.
 * @throws AppError `forbidden` for everyone but admins and superusers, `email_not_verified`, `page_not_found` past the
 *   end.
 */
export async function listAccounts(
  deps: Pick<Deps, 'reads' | 'longReads' | 'engine'>,
  viewer: Viewer,
  query: In<typeof listRoute, 'query'>,
  address: string,
): Promise<SearchPageOf<ManagedUser>> {
  refuse(whyNotManageUsers(viewer))
  await awaitTurn()
  const order = toOrder<UserOrdering>(query.ordering ?? '-date_joined')
  const show = (records: AccountRecord[]) => records.map((record) => toManagedUser(record, viewer))
  const { search } = query
  if (search?.trim()) {
    const ids = await listFoundIds(deps, { ...query, search }, order)
    return showFound(address, query.page, ids, async (page) => show(await queries.listByIds(deps.reads, page)))
  }
  const count = await queries.countAccounts(deps.reads, query)
  return showPage(address, query.page, count, async (cut) =>
    show(await queries.listUsers({ reads: chooseReads(deps, cut), engine: deps.engine }, query, order, cut)),
  )
}

/**
 * Sets one flag of an account. Doer and account are judged as they are when it happens: of two people who change each
 * other's rights at once, the second is judged by what the first has left them.
 * Who loses their second step without having asked for it is told by mail.
 * @throws AppError `forbidden`, `email_not_verified`, `own_account_active`, `own_account_email`, `own_account_two_factor`, `own_account_superuser`, `last_superuser`,
 *   `user_not_found`, `authenticator_missing`, `email_kept`, `email_taken`
 */
export async function changeFlag(
  deps: EventDeps,
  viewer: Viewer,
  id: number,
  change: UserFlagChange,
): Promise<ManagedUser> {
  // Before anything else: others do not learn which ids there are.
  refuse(whyNotManageUsers(viewer))
  const setFlag = async (transaction: Db, emit: Emit) => {
    const held = await holdAccounts(transaction, [viewer.id, id])
    const doer = held.get(viewer.id)
    const account = held.get(id)
    if (!doer?.isActive) throw new AppError('not_signed_in')
    refuse(whyNotManageUsers(doer.facts))
    if (!account) throw new AppError('user_not_found')
    refuse(whyNotSetUserFlag(doer.facts, account.facts, change.flag, change.value))
    // Nobody could sign in with a second step that was never set up.
    if (change.flag === 'gfa_is_enabled' && change.value && !(await hasAuthenticator(transaction, id)))
      throw new AppError('authenticator_missing')
    if (change.flag === 'is_email_verified' && change.value) {
      const hold = await queries.holdOwnEmail(transaction, id, deps.now())
      if (hold !== 'done') throw new AppError(`email_${hold}`)
    }
    const changed = await updateFlag(transaction, id, change)
    if (!changed) throw new AppError('last_superuser')
    if (change.flag === 'is_active' && !change.value) await closeOtherDoors(transaction, id)
    const takesSecondStep = change.flag === 'gfa_is_enabled' && !change.value && account.hasTwoFactor
    await emit(directoryEvents.flag_set(viewer.id, id, { ...change, takesSecondStep }))
    return changed
  }
  // Where another account proves the address at the same moment, the second try says so.
  const user = await againIfTaken(() => recordEvents(deps, setFlag))
  // Also of one's own account: nobody takes from themselves what the rules look at.
  return toManagedUser(user, viewer)
}

/**
 * Takes a right away from the shell, where nobody is signed in: whoever may run it has the database anyway. The last
 * active superuser stays one all the same.
 * @throws AppError `user_not_found`, `last_superuser`
 */
export async function takeRightFromShell(deps: EventDeps, username: string, right: Right): Promise<AccountRecord> {
  return recordEvents(deps, async (transaction, emit) => {
    const id = await queries.findIdByUsername(transaction, username)
    if (id === undefined) throw new AppError('user_not_found')
    // All of them: two commands that each leave the other's superuser would otherwise leave none.
    await holdAccounts(transaction, [id, ...(await queries.listActiveSuperusers(transaction))])
    const changed = await updateFlag(transaction, id, { flag: right, value: false })
    if (!changed) throw new AppError('last_superuser')
    if (right === 'is_active') await closeOtherDoors(transaction, id)
    await emit(directoryEvents.flag_set(null, id, { flag: right, value: false }))
    return changed
  })
}

export type Right = 'is_active' | 'is_superuser' | 'is_admin' | 'is_staff'

/** One person. @throws AppError `forbidden` for everyone but superusers, `email_not_verified`, `user_not_found` */
export async function showPerson(
  deps: Deps,
  { viewer, sessionId }: { viewer: Viewer; sessionId: number },
  id: number,
): Promise<Person> {
  refuse(whyNotSeePerson(viewer))
  const account = await queries.findAccount(deps.reads, id)
  if (!account) throw new AppError('user_not_found')
  if (id !== viewer.id) await recordView(deps, directoryEvents.person_viewed(viewer.id, id))
  const [sessions, hasApp] = await Promise.all([listSessions(deps, id, sessionId), hasAuthenticator(deps.reads, id)])
  return { ...toManagedUser(account, viewer), sessions, has_authenticator: hasApp }
}

/** Signs a person out everywhere. @throws AppError as `showPerson` */
export async function endSessionsOfPerson(deps: Deps, viewer: Viewer, id: number): Promise<void> {
  refuse(whyNotSeePerson(viewer))
  if (!(await queries.findAccount(deps.reads, id))) throw new AppError('user_not_found')
  await endSessionsOf(deps, id, viewer.id)
}

function toManagedUser<R extends AccountRecord>(record: R, viewer: Viewer): R & Pick<ManagedUser, 'may'> {
  return { ...record, may: listUserRights(viewer, record) }
}
