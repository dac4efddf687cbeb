import type { Out, Route } from '@proofdesk/contract/route'
import { ApiError } from './api-error.ts'
import { readAnswer, send, type Input } from './send.ts'
import { renewAccess } from './session-calls.ts'
import { readAccess } from './session.ts'

export interface CallOptions {
  signal?: AbortSignal | undefined
}

/** Calls one contract route as the signed-in person. @throws ApiError for a refusal, NetworkError without an answer */
export async function call<R extends Route>(route: R, input: Input<R>, options: CallOptions = {}): Promise<Out<R>> {
  const response = await withAccess(route, (access) => send(route, input, { access, ...options }))
  return readAnswer(route, response)
}

/** Calls a route that answers with a file. The blob's type is the one the server named. */
export async function callFile<R extends Route>(route: R, input: Input<R>, options: CallOptions = {}): Promise<Blob> {
  const response = await withAccess(route, (access) => send(route, input, { access, ...options }))
  return response.blob()
}

/** Runs a call with the access token; refused with 401, it renews the token once and tries again. */
export async function withAccess<T>(route: Route, run: (access: string | null) => Promise<T>): Promise<T> {
  if (route.access === 'public') return run(null)
  const access = readAccess()
  try {
    return await run(access)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
    return run(await renewAccess(access))
  }
}
