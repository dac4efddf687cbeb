import { sayEnglish } from '@proofdesk/contract/messages'
import type { Viewer } from '@proofdesk/contract/permissions'
import type { Out } from '@proofdesk/contract/route'
import { CHALLENGE_SECONDS } from '@proofdesk/contract/limits'
import type { beginSetup as beginSetupRoute, setTwoFactor } from '@proofdesk/contract/two-factor'
import type { Db } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { AppError, refuseFields } from '../../errors.ts'
import { nameClient } from '../../http/limits.ts'
import { enqueue } from '../../outbox/outbox.ts'
import { holdActiveUser, setTwoFactorFlag } from '../users/queries.ts'
import { drawQrCode, findStep, makeSecret, oldestStep, toOtpauthUrl } from './authenticator-app.ts'
import {
  deleteOutdated,
  deleteTwoFactor,
  findPendingSecret,
  insertAuthenticator,
  insertRecoveryCodes,
  offerPendingSecret,
  takePendingSecret,
  takeStep,
} from './queries.ts'
import { hashRecoveryCode, makeRecoveryCodes } from './recovery-codes.ts'
import { toPurpose } from './secret-purpose.ts'

/** Opening the page again within this time shows the same secret, so that what was scanned stays right. */
const SHOW_AGAIN_MS = 15 * 60 * 1000
/** A secret that was shown takes its first code until then. */
const CONFIRM_WITHIN_MS = 60 * 60 * 1000

interface Caller {
  viewer: Viewer
  sessionId: number
}

/**
 * Offers a secret for an app. It stays pending until a code of it comes back and belongs to the session that asked:
 * no other session is shown it, and one that is in force is shown to nobody.
 */
export async function beginSetup(deps: Deps, { viewer, sessionId }: Caller): Promise<Out<typeof beginSetupRoute>> {
  const now = deps.now()
  const sealed = await deps.db.transaction().execute(async (transaction) => {
    await offerPendingSecret(
      transaction,
      {
        user_id: viewer.id,
        session_id: sessionId,
        sealed_secret: deps.secrets.seal(makeSecret(), toPurpose(viewer.id)),
        made_at: now,
      },
      now - SHOW_AGAIN_MS,
    )
    return findPendingSecret(transaction, { userId: viewer.id, sessionId, madeAfter: now - SHOW_AGAIN_MS })
  })
  if (sealed === undefined) throw new AppError('two_factor_not_begun')
  const secret = deps.secrets.open(sealed, toPurpose(viewer.id))
  const otpauth_url = toOtpauthUrl(secret, { issuer: deps.config.organisation, username: viewer.username })
  return { qr_code: drawQrCode(otpauth_url), otpauth_url, secret }
}

/**
 * Switches two-factor on by a code of the pending secret; an authenticator from before is replaced.
 * @returns new recovery codes, which nobody can be shown again.
 * @throws AppError `invalid` without a code, `otp_wrong`, `two_factor_not_begun`, `rate_limited`
 */
export async function switchOn(
  deps: Deps,
  { viewer, sessionId }: Caller,
  address: string,
  otp: string | undefined,
): Promise<Out<typeof setTwoFactor>> {
  if (otp === undefined) throw refuseFields({ otp: [sayEnglish('otp_malformed')] })
  const client = nameClient(address)
  const attempt = await deps.limits.attempt(
    { name: 'code_address', key: client },
    { name: 'code_account', key: `${client} ${viewer.id}` },
  )
  const recoveryCodes = makeRecoveryCodes()
  await deps.db.transaction().execute(async (transaction) => {
    if (!(await holdActiveUser(transaction, viewer.id))) throw new AppError('not_signed_in')
    await confirmSecret(transaction, deps, { userId: viewer.id, sessionId, otp })
    const hashes = recoveryCodes.flatMap((code) => hashRecoveryCode(code) ?? [])
    await insertRecoveryCodes(transaction, viewer.id, hashes)
    await setTwoFactorFlag(transaction, viewer.id, true)
  })
  await attempt.forgive()
  return { detail: sayEnglish('two_factor_enabled'), gfa_is_enabled: true, recovery_codes: recoveryCodes }
}

/** Puts the pending secret in force; its first code is used up by that. */
async function confirmSecret(
  transaction: Db,
  { now, secrets }: Deps,
  { userId, sessionId, otp }: { userId: number; sessionId: number; otp: string },
): Promise<void> {
  const sealed = await findPendingSecret(transaction, { userId, sessionId, madeAfter: now() - CONFIRM_WITHIN_MS })
  if (sealed === undefined) throw new AppError('two_factor_not_begun')
  const step = findStep(secrets.open(sealed, toPurpose(userId)), otp, now())
  if (step === undefined) throw new AppError('otp_wrong', { fields: { otp: [sayEnglish('otp_wrong')] } })
  if (!(await takePendingSecret(transaction, userId, sealed))) throw new AppError('two_factor_not_begun')
  await deleteTwoFactor(transaction, userId)
  await insertAuthenticator(transaction, { user_id: userId, sealed_secret: sealed, confirmed_at: now() })
  await takeStep(transaction, userId, step)
}

/** Switches two-factor off and tells the person by mail; doing so again changes nothing. */
export async function switchOff(deps: Deps, viewer: Viewer): Promise<Out<typeof setTwoFactor>> {
  await deps.db.transaction().execute(async (transaction) => {
    const wasOn = await setTwoFactorFlag(transaction, viewer.id, false)
    if (!wasOn) return
    await deleteTwoFactor(transaction, viewer.id)
    await enqueue(transaction, deps.now(), 'security_mail', { user_id: viewer.id, event: 'two_factor_off' })
  })
  deps.outbox.ring()
  return { detail: sayEnglish('two_factor_disabled'), gfa_is_enabled: false }
}

/** Runs every hour. */
export async function sweepTwoFactor({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<void> {
  await db.transaction().execute((transaction) =>
    deleteOutdated(transaction, {
      challenges: now() - CHALLENGE_SECONDS * 1000,
      pending: now() - CONFIRM_WITHIN_MS,
      step: oldestStep(now()),
    }),
  )
}
