import { sayEnglish } from '@proofdesk/contract/messages'
import type { Viewer } from '@proofdesk/contract/permissions'
import type { Out } from '@proofdesk/contract/route'
import { CHALLENGE_SECONDS } from '@proofdesk/contract/limits'
import type { beginSetup as beginSetupRoute, renewRecoveryCodes, setTwoFactor } from '@proofdesk/contract/two-factor'
import { inTransaction } from '../../db/in-transaction.ts'
import type { Db } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { AppError, refuseFields } from '../../errors.ts'
import { recordEvents } from '../../events/record-events.ts'
import { byClient } from '../../http/limits.ts'
import { toAsciiDigits } from '../../text/ascii-digits.ts'
import { deleteSessionsOfUser, holdSession } from '../sessions/queries.ts'
import { demandRecentSignIn } from '../sessions/service.ts'
import { holdActiveUser, setTwoFactorFlag } from '../users/queries.ts'
import { drawQrCode, findStep, makeSecret, oldestStep, toOtpauthUrl } from './authenticator-app.ts'
import { twoFactorEvents } from './events.ts'
import {
  deleteOutdated,
  deleteRecoveryCodes,
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
import { CODE_ACCOUNT } from './limits.ts'

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
 * @throws AppError `not_signed_in` when the session ended meanwhile
 */
export async function beginSetup(deps: Deps, { viewer, sessionId }: Caller): Promise<Out<typeof beginSetupRoute>> {
  const now = deps.now()
  const sealed = await inTransaction(deps.db, async (transaction) => {
    // What is pending hangs on the session, which may have ended since it was asked for.
    const isIn = (await holdActiveUser(transaction, viewer.id)) && (await holdSession(transaction, sessionId))
    if (!isIn) throw new AppError('not_signed_in')
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
 * Switches two-factor on by a code of the pending secret; an authenticator from before is replaced. All other sessions
 * end, and the person is told by mail.
 * @returns new recovery codes, which nobody can be shown again.
 * @throws AppError `invalid` without a code, `otp_wrong`, `two_factor_not_begun`, `confirm_identity`, `rate_limited`
 */
export async function switchOn(
  deps: Deps,
  { viewer, sessionId }: Caller,
  address: string,
  otp: string | undefined,
): Promise<Out<typeof setTwoFactor>> {
  if (otp === undefined) throw refuseFields({ otp: [sayEnglish('otp_malformed')] })
  // Before the attempt is counted: it is asked for again once they have confirmed.
  await demandRecentSignIn(deps.reads, deps.now(), sessionId)
  const recoveryCodes = makeRecoveryCodes()
  // Strangers who guess codes of the sign-in at this address are none of this person's failures.
  await deps.limits.watch(byClient(CODE_ACCOUNT, address, `set-up ${viewer.id}`), () =>
    recordEvents(deps, async (transaction, emit) => {
      if (!(await holdActiveUser(transaction, viewer.id))) throw new AppError('not_signed_in')
      await demandRecentSignIn(transaction, deps.now(), sessionId)
      await confirmSecret(transaction, deps, { userId: viewer.id, sessionId, otp })
      await insertRecoveryCodes(transaction, viewer.id, hashAll(recoveryCodes), deps.now())
      const wasOff = await setTwoFactorFlag(transaction, viewer.id, true)
      await deleteSessionsOfUser(transaction, viewer.id, sessionId)
      await emit(twoFactorEvents[wasOff ? 'two_factor_on' : 'two_factor_replaced'](viewer.id))
    }),
  )
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
  const step = findStep(secrets.open(sealed, toPurpose(userId)), toAsciiDigits(otp), now())
  if (step === undefined) throw new AppError('otp_wrong', { fields: { otp: [sayEnglish('otp_wrong')] } })
  if (!(await takePendingSecret(transaction, userId, sealed))) throw new AppError('two_factor_not_begun')
  await deleteTwoFactor(transaction, userId)
  await insertAuthenticator(transaction, { user_id: userId, sealed_secret: sealed, confirmed_at: now() })
  await takeStep(transaction, userId, step)
}

/**
 * Switches two-factor off and tells the person by mail; all other sessions end. Doing so again changes nothing.
 * @throws AppError `confirm_identity`
 */
export async function switchOff(deps: Deps, { viewer, sessionId }: Caller): Promise<Out<typeof setTwoFactor>> {
  await recordEvents(deps, async (transaction, emit) => {
    const wasOn = await setTwoFactorFlag(transaction, viewer.id, false)
    if (!wasOn) return
    await demandRecentSignIn(transaction, deps.now(), sessionId)
    await deleteTwoFactor(transaction, viewer.id)
    await deleteSessionsOfUser(transaction, viewer.id, sessionId)
    await emit(twoFactorEvents.two_factor_off(viewer.id))
  })
  return { detail: sayEnglish('two_factor_disabled'), gfa_is_enabled: false }
}

/**
 * Makes new recovery codes in place of the old ones and tells the person by mail.
 * @throws AppError `two_factor_not_on`, `confirm_identity`
 */
export async function renewCodes(deps: Deps, { viewer, sessionId }: Caller): Promise<Out<typeof renewRecoveryCodes>> {
  const recoveryCodes = makeRecoveryCodes()
  await recordEvents(deps, async (transaction, emit) => {
    const user = await holdActiveUser(transaction, viewer.id)
    if (!user?.hasTwoFactor) throw new AppError('two_factor_not_on')
    await demandRecentSignIn(transaction, deps.now(), sessionId)
    await deleteRecoveryCodes(transaction, viewer.id)
    await insertRecoveryCodes(transaction, viewer.id, hashAll(recoveryCodes), deps.now())
    await emit(twoFactorEvents.recovery_codes_renewed(viewer.id))
  })
  return { detail: sayEnglish('recovery_codes_renewed'), recovery_codes: recoveryCodes }
}

function hashAll(recoveryCodes: string[]): string[] {
  return recoveryCodes.flatMap((code) => hashRecoveryCode(code) ?? [])
}

/** Runs every hour. */
export async function sweepTwoFactor({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<void> {
  await inTransaction(db, (transaction) =>
    deleteOutdated(transaction, {
      challenges: now() - CHALLENGE_SECONDS * 1000,
      pending: now() - CONFIRM_WITHIN_MS,
      step: oldestStep(now()),
    }),
  )
}
