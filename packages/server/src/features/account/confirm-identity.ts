import type { confirmIdentity as confirmRoute, showConfirmation } from '@proofdesk/contract/account'
import { sayEnglish } from '@proofdesk/contract/messages'
import type { Viewer } from '@proofdesk/contract/permissions'
import type { In, Out } from '@proofdesk/contract/route'
import type { Db } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { proveOnceMore } from '../auth/service.ts'
import { listLinkedProviders, takeConfirmation } from '../provider-login/service.ts'
import { markConfirmed } from '../sessions/queries.ts'
import { findPasswordHash, findProfile } from '../users/queries.ts'
import { accountEvents } from './events.ts'

/** How the caller can show once more who they are. */
export async function showWaysToConfirm(deps: Deps, viewer: Viewer): Promise<Out<typeof showConfirmation>> {
  const profile = await findProfile(deps.reads, viewer.id)
  if (!profile) throw new AppError('not_signed_in')
  return {
    has_password: (await findPasswordHash(deps.reads, viewer.id)) !== null,
    gfa_is_enabled: profile.gfa_is_enabled,
    providers: await listLinkedProviders(deps, viewer.id),
  }
}

/**
 * Opens sensitive changes to this session for 15 minutes.
 * @param caller `cookie`: the browser's half of the provider's code
 * @throws AppError as `proveOnceMore`; `provider_login_failed`
 */
export async function confirmIdentity(
  deps: Deps,
  caller: { viewer: Viewer; sessionId: number; address: string; cookie: string | undefined },
  { password, otp, provider_code: code }: In<typeof confirmRoute, 'body'>,
): Promise<Out<typeof confirmRoute>> {
  const { viewer, sessionId, address, cookie } = caller
  const claimant = { address, userId: viewer.id, username: viewer.username }
  const confirm = (transaction: Db) => takeConfirmation(transaction, deps.now(), { userId: viewer.id, code, cookie })
  const shown = password === undefined ? { confirm, otp } : { password, otp }
  await proveOnceMore(deps, claimant, shown, async (transaction, emit) => {
    if (!(await markConfirmed(transaction, sessionId, deps.now()))) throw new AppError('not_signed_in')
    await emit(accountEvents.identity_confirmed(viewer.id))
  })
  return { detail: sayEnglish('identity_confirmed') }
}
