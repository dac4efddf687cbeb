import type { Out, Route } from '@proofdesk/contract/route'
import { ApiError } from './api-error.ts'
import { askIdentity } from './confirm-identity.ts'
import { setTwoFactorDemanded } from './second-factor.ts'
import { readAnswer, readBlob, send, type Input } from './send.ts'
import { isVerdict, renewAccess } from './session-calls.ts'
import { readAccess, readPersonId } from './session.ts'
import { waitForSignIn } from './sign-in-again.ts'

export interface CallOptions {
  signal?: AbortSignal | undefined
  /** The same for what is sent again, so that it is made once; for routes that make something once. */
  key?: string | undefined
}

/** Calls one contract route as the signed-in person. @throws ApiError for a refusal, NetworkError without an answer */
export async function call<R extends Route>(route: R, input: Input<R>, options: CallOptions = {}): Promise<Out<R>> {
  const response = await withAccess(route, (access) => send(route, input, { access, ...options }))
  return readAnswer(route, response)
}

/** Calls a route that answers with a file. The blob's type is the one the server named. */
export async function callFile<R extends Route>(route: R, input: Input<R>, options: CallOptions = {}): Promise<Blob> {
  const response = await withAccess(route, (access) => send(route, input, { access, ...options }))
  return readBlob(response)
}

/**
 * Runs a call with the access token; refused with 401, it renews the token once and tries again, and where the session has
 * ended it waits until the person has signed in again; it is never tried again under another. Where it is refused until the
 * person has shown once more who they are, they are asked in place and it is tried again: nothing typed is lost.
 */
export async function withAccess<T>(route: Route, run: (access: string | null) => Promise<T>): Promise<T> {
  if (route.access === 'public') return run(null)
  try {
    return await runRenewed(run)
  } catch (error) {
    if (!(error instanceof ApiError) || error.body.code !== 'confirm_identity') throw error
    if (!(await askIdentity())) throw error
    return runRenewed(run)
  }
}

async function runRenewed<T>(run: (access: string | null) => Promise<T>): Promise<T> {
  const [access, person] = [readAccess(), readPersonId()]
  try {
    return await run(access)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw noteDemand(error)
    const renewed = await renewOrAsk(access)
    if (person !== undefined && readPersonId() !== person) throw error
    return run(renewed).catch((again: unknown) => {
      throw noteDemand(again)
    })
  }
}

async function renewOrAsk(spent: string | null): Promise<string> {
  try {
    return await renewAccess(spent)
  } catch (error) {
    if (isVerdict(error)) return waitForSignIn(error)
    throw error
  }
}

/** Whoever has to set up two-factor first is led there, whichever call it was that said so. */
function noteDemand(error: unknown): unknown {
  if (error instanceof ApiError && error.body.code === 'two_factor_required') setTwoFactorDemanded(true)
  return error
}
