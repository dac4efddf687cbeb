import type { joinAccount, mailJoinLink } from '@proofdesk/contract/provider-login'
import { PROVIDER_JOIN_LINK_SECONDS, PROVIDER_JOIN_SECONDS } from '@proofdesk/contract/limits'
import { sayEnglish, splitEnglish } from '@proofdesk/contract/messages'
import type { Out } from '@proofdesk/contract/route'
import type { UserInfo } from '@proofdesk/contract/users'
import type { Db } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { toEmailKey } from '../../text/email-key.ts'
import type { Caller } from '../../http/caller.ts'
import { byClient } from '../../http/limits.ts'
import { composeMail } from '../../mail/compose.ts'
import { hashToken, looksLikeToken, makeToken } from '../../secrets/tokens.ts'
import { recordEvents, type Emit } from '../../events/record-events.ts'
import { proveOnceMore } from '../auth/service.ts'
import { deleteSessionsOfUser } from '../sessions/queries.ts'
import { beginSession } from '../sessions/service.ts'
import { deleteChallenges } from '../two-factor/queries.ts'
import { findRecoveryAddress, findUserInfo, holdActiveUser } from '../users/queries.ts'
import { providerEvents } from './events.ts'
import { hashGiven, hashHandover, makeHandover, type Handover } from './handover.ts'
import {
  findPendingById,
  findPendingIdentity,
  insertIdentity,
  insertPendingIdentity,
  keepJoinLink,
  takePendingIdentity,
  turnToMail,
  type IdentityKey,
  type PendingIdentity,
} from './queries.ts'
import { SIGN_IN_ADDRESS, VERIFICATION_MAIL } from '../auth/limits.ts'

/** Lets the browser of somebody from a provider show that the account with their e-mail is theirs. */
export async function offerJoin(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  identity: IdentityKey,
  { userId, email }: { userId: number; email: string },
): Promise<Handover> {
  const handover = makeHandover()
  const expires_at = now() + PROVIDER_JOIN_SECONDS * 1000
  const hash = hashHandover('join', handover)
  await insertPendingIdentity(db, { ...identity, hash, user_id: userId, email, expires_at })
  return handover
}

interface Given {
  code: string
  cookie: string | undefined
}

/**
 * Links the account by its password, with two-factor on by a code too, and signs in. A wrong one may be typed again.
 * @throws AppError `provider_join_ended`, `provider_account_taken`, `provider_account_unverified`, and as `proveOnceMore`
 */
export async function joinByPassword(
  deps: Deps,
  from: Caller,
  given: Given,
  shown: { password: string; otp?: string | undefined },
): Promise<Out<typeof joinAccount>> {
  const { hash, userId } = await findOffer(deps, from.address, given)
  const user = await findUserInfo(deps.reads, userId)
  if (!user) throw new AppError('provider_join_ended')
  return proveOnceMore(
    deps,
    { address: from.address, userId, username: user.username },
    shown,
    async (transaction, emit, info) => {
      const pending = await takePendingIdentity(transaction, { hash }, deps.now())
      if (!pending) throw new AppError('provider_join_ended')
      await link(transaction, emit, deps.now(), info, pending)
      const entering = { userId, device: from.device, way: 'join' } as const
      return { ...info, ...(await beginSession(transaction, emit, deps, entering)) }
    },
  )
}

/** The same for an ID token, whose person is not linked yet. @returns their account */
export async function joinAtOnce(
  deps: Deps,
  from: Caller,
  identity: IdentityKey,
  { userId, email }: { userId: number; email: string },
  shown: { password: string; otp?: string | undefined },
): Promise<Out<typeof joinAccount>> {
  const user = await findUserInfo(deps.reads, userId)
  if (!user) throw new AppError('provider_login_failed')
  return proveOnceMore(
    deps,
    { address: from.address, userId, username: user.username },
    shown,
    async (transaction, emit, info) => {
      await link(transaction, emit, deps.now(), info, { ...identity, email })
      const entering = { userId, device: from.device, way: 'join' } as const
      return { ...info, ...(await beginSession(transaction, emit, deps, entering)) }
    },
  )
}

/**
 * Has a link mailed in place of the password.
 * @throws AppError `provider_join_ended`, `rate_limited`; `provider_account_unverified` where nobody has proved the
 *   address, so that no mail would go there
 */
export async function requestJoinLink(deps: Deps, address: string, given: Given): Promise<Out<typeof mailJoinLink>> {
  const { hash, userId, email } = await findOffer(deps, address, given)
  if (!(await findProvedUser(deps.reads, userId, email))) throw new AppError('provider_account_unverified')
  await deps.limits.attempt({ limit: VERIFICATION_MAIL, key: userId })
  const now = deps.now()
  await recordEvents(deps, async (transaction, emit) => {
    const id = await turnToMail(transaction, hash, { now, until: now + PROVIDER_JOIN_LINK_SECONDS * 1000 })
    if (id === undefined) throw new AppError('provider_join_ended')
    await emit(providerEvents.join_mail_asked(id))
  })
  return { detail: sayEnglish('provider_join_mailed') }
}

async function findOffer(
  deps: Deps,
  address: string,
  given: Given,
): Promise<{ hash: string; userId: number; email: string }> {
  return deps.limits.watch(byClient(SIGN_IN_ADDRESS, address), async () => {
    const hash = hashGiven('join', given)
    const pending = hash === undefined ? undefined : await findPendingIdentity(deps.reads, { hash }, deps.now())
    if (hash === undefined || !pending?.user_id) throw new AppError('provider_join_ended')
    return { hash, userId: pending.user_id, email: pending.email }
  })
}

/** The account, if the address that the provider knows is the one it has proved. */
async function findProvedUser(db: Db, userId: number, email: string) {
  const user = await findRecoveryAddress(db, userId)
  return user?.isProved && toEmailKey(user.recoveryEmail) === toEmailKey(email) ? user : undefined
}

/** Mails the account's proved address. The token is made here and never waits in the outbox. */
export async function sendJoinMail(deps: Deps, pendingId: number): Promise<void> {
  const pending = await findPendingById(deps.reads, pendingId)
  const user = pending?.user_id ? await findProvedUser(deps.reads, pending.user_id, pending.email) : undefined
  if (!pending || !user) return
  const token = makeToken()
  const until = deps.now() + PROVIDER_JOIN_LINK_SECONDS * 1000
  if (!(await keepJoinLink(deps.db, pendingId, hashToken(token), until))) return
  const { organisation, publicUrl, identityProviders } = deps.config
  const provider = identityProviders.find(({ id }) => id === pending.provider)?.name ?? pending.provider
  await deps.mailer.send({
    to: user.recoveryEmail,
    ...composeMail(deps.config, {
      subject: splitEnglish('mail_provider_join_subject', { organisation, provider }),
      heading: sayEnglish('mail_provider_join_heading'),
      greetingName: user.username,
      paragraphs: [splitEnglish('mail_provider_join_text', { organisation, provider, username: user.username })],
      action: { label: sayEnglish('mail_provider_join_action'), url: `${publicUrl}/join-provider/${token}` },
      closing: sayEnglish('mail_provider_join_closing'),
    }),
  })
}

/** Uses the mailed link up; it signs nobody in. @throws AppError `link_invalid`, and as `joinByPassword` */
export async function joinByLink(deps: Deps, token: string): Promise<{ detail: string; username: string }> {
  if (!looksLikeToken(token)) throw new AppError('link_invalid')
  const key = { link_hash: hashToken(token) }
  const userId = (await findPendingIdentity(deps.reads, key, deps.now()))?.user_id
  if (!userId) throw new AppError('link_invalid')
  const username = await recordEvents(deps, async (transaction, emit) => {
    const user = await holdActiveUser(transaction, userId)
    const pending = user && (await takePendingIdentity(transaction, key, deps.now()))
    if (!pending) throw new AppError('link_invalid')
    await link(transaction, emit, deps.now(), user.info, pending)
    return user.info.username
  })
  return { detail: sayEnglish('provider_joined'), username }
}

/**
 * Once the account was shown to be theirs, if it still has the address that both know. All sessions end, and so does a
 * sign-in that is under way: whoever had got in before learns of no new way in.
 */
async function link(
  transaction: Db,
  emit: Emit,
  now: number,
  user: UserInfo,
  { provider, issuer, subject, email }: Pick<PendingIdentity, 'provider' | 'issuer' | 'subject' | 'email'>,
): Promise<void> {
  if (!user.is_email_verified || toEmailKey(user.email) !== toEmailKey(email))
    throw new AppError('provider_account_unverified')
  const row = { provider, issuer, subject, email, user_id: user.id, linked_at: now }
  const made = await insertIdentity(transaction, row)
  if (!made) throw new AppError('provider_account_taken')
  await deleteSessionsOfUser(transaction, user.id)
  await deleteChallenges(transaction, user.id)
  await emit(providerEvents.provider_linked(user.id, made))
}
