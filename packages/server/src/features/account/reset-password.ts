import type { confirmReset } from '@proofdesk/contract/account'
import { sayEnglish } from '@proofdesk/contract/messages'
import type { In, Out } from '@proofdesk/contract/route'
import type { Db } from '../../db/open.ts'
import { againIfTaken } from '../../db/unique-violation.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { byClient, nameClient } from '../../http/limits.ts'
import { hashToken, looksLikeToken } from '../../secrets/tokens.ts'
import { deleteVerificationLinks, hasMailedLink, takeMailedLink } from '../auth/queries.ts'
import { knowsNetwork, rememberNetwork } from '../sessions/service.ts'
import { listUsersToReset, markEmailVerified, resetPasswordHash } from '../users/queries.ts'
import { closeOtherDoors } from './service.ts'
import { attemptMail, byAsker } from '../../http/mail-limits.ts'
import { RESET_MAIL_ADDRESS, RESET_MAILS } from './limits.ts'
import { recordEvent, recordEvents, type Emit } from '../../events/record-events.ts'
import { accountEvents } from './events.ts'

/** An address may be one account's present and another's last proved one. */
const MOST_ACCOUNTS = 5
/** No account has it; the handler finds nobody. */
const NOBODY = 0

/**
 * Has a reset link mailed. With and without such an account the same is done and answered: a row is put into the
 * outbox, and who it is for is looked at after the answer.
 * @throws AppError `rate_limited`
 */
export async function requestPasswordReset(deps: Deps, address: string, email: string): Promise<{ message: string }> {
  const client = nameClient(address)
  const found = await listUsersToReset(deps.reads, email, MOST_ACCOUNTS)
  const isKnown = await Promise.all([NOBODY, ...found].map((userId) => knowsNetwork(deps, userId, client)))
  const byAddress = byClient(RESET_MAIL_ADDRESS, address)
  // Where the owner was before, strangers use none up.
  if (isKnown.includes(true)) await deps.limits.attempt(...byAddress, byAsker(RESET_MAILS, email, address))
  else await attemptMail(deps.limits, RESET_MAILS, { email, from: address }, ...byAddress)
  await recordEvent(deps, accountEvents.reset_mail_asked(found.length > 0 ? found : [NOBODY]))
  return { message: sayEnglish('reset_mail_sent') }
}

/** Uses nothing up, and says no more than the form would. @throws AppError `link_invalid` */
export async function checkResetLink({ reads, now }: Deps, token: string): Promise<void> {
  const hash = looksLikeToken(token) ? hashToken(token) : undefined
  if (hash === undefined || !(await hasMailedLink(reads, 'reset_password', hash, now())))
    throw new AppError('link_invalid')
}

/**
 * Sets a new password by a mailed link, once. All sessions end. Where the link went to the present address, that
 * address is proved by it, unless it is somebody else's or kept for them. Two-factor stays as it is.
 * @param address Of the caller: whoever reads the account's mail is no stranger there any more.
 * @throws AppError `link_invalid`
 */
export async function setPasswordByLink(
  deps: Deps,
  address: string,
  { token, new_password }: In<typeof confirmReset, 'body'>,
): Promise<Out<typeof confirmReset>> {
  const hash = looksLikeToken(token) ? hashToken(token) : undefined
  // First of all: without a link nobody makes the server hash passwords.
  if (hash === undefined || !(await hasMailedLink(deps.reads, 'reset_password', hash, deps.now())))
    throw new AppError('link_invalid')
  const passwordHash = await deps.passwords.hash(new_password, nameClient(address))
  const setPassword = async (transaction: Db, emit: Emit) => {
    const link = await takeMailedLink(transaction, 'reset_password', hash, deps.now())
    const user = link && (await resetPasswordHash(transaction, link.userId, passwordHash))
    if (!user) throw new AppError('link_invalid')
    const proved = await markEmailVerified(transaction, { id: user.id, email: link.email, now: deps.now() })
    if (typeof proved === 'object') await deleteVerificationLinks(transaction, user.id)
    await closeOtherDoors(transaction, user.id)
    await rememberNetwork(transaction, deps, user.id, nameClient(address))
    await emit(accountEvents.password_reset(user.id))
    return user.username
  }
  // Where another account proves the address at the same moment, the second try sets the password alone.
  const username = await againIfTaken(() => recordEvents(deps, setPassword))
  return { message: sayEnglish('password_reset_done'), username }
}
