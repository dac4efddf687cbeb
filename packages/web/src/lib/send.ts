import type { ErrorBody } from '@proofdesk/contract/errors'
import { WINDOW_HEADER } from '@proofdesk/contract/live'
import { API_BASE, IDEMPOTENCY_HEADER, type Out, type Route, type Sent } from '@proofdesk/contract/route'
import { m } from '../paraglide/messages.js'
import { ApiError, NetworkError } from './api-error.ts'
import { WINDOW } from './window-name.ts'

/** Numbers may stand where the wire wants digits; a missing value is left out. */
type Loose<T> = { [K in keyof T]: T[K] | (string extends Exclude<T[K], undefined> ? number | string : never) }

/** What a call of one route takes: only the parts the route declares. */
export type Input<R extends Route> = {
  [K in 'params' | 'query' as R[K] extends object ? K : never]: Loose<Sent<R, K>>
} & {
  [K in 'body' as R[K] extends object ? K : never]: Sent<R, K>
}

export interface SendOptions {
  /** Access token, or null for none. */
  access: string | null
  signal?: AbortSignal | undefined
  key?: string | undefined
}

/** Sends one contract route and judges the answer. Knows no session: `call` does. @throws ApiError, NetworkError */
export async function send<R extends Route>(route: R, input: Input<R>, options: SendOptions): Promise<Response> {
  const { body } = input as { body?: unknown }
  const headers = new Headers({ accept: route.response ? 'application/json' : '*/*' })
  headers.set(WINDOW_HEADER, WINDOW)
  if (options.access) headers.set('authorization', `Bearer ${options.access}`)
  if (options.key) headers.set(IDEMPOTENCY_HEADER, options.key)
  if (body !== undefined) headers.set('content-type', 'application/json')
  const response = await fetchOrExplain(addressOf(route, input), {
    method: route.method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
    signal: options.signal ?? null,
  })
  if (!response.ok) throw refusalOf(response.status, await readText(response), response.headers.get('retry-after'))
  return response
}

/** Reads a JSON answer by the route's own schema. @throws NetworkError when the answer breaks off */
export async function readAnswer<R extends Route>(route: R, response: Response): Promise<Out<R>> {
  if (!route.response) return undefined as Out<R>
  return route.response.parse(parseJson(await readText(response))) as Out<R>
}

/** Absolute address of a route with its parameters and query filled in. */
export function addressOf<R extends Route>(route: R, input: Input<R>): URL {
  const { params = {}, query = {} } = input as {
    params?: Record<string, unknown>
    query?: Record<string, string | number>
  }
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const url = new URL(`${API_BASE}${path}`, location.origin)
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  return url
}

/** An answer outside 2xx as an error; whatever is not ours (a proxy's page) has no words: each call has its default. */
export function refusalOf(status: number, text: string, retryAfter?: string | null): ApiError {
  const body = parseJson(text)
  const seconds = /^\d+$/.test(retryAfter ?? '') ? Number(retryAfter) : undefined
  return new ApiError(status, isErrorBody(body) ? body : { code: 'internal', detail: '' }, seconds)
}

async function fetchOrExplain(url: URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    throw explainBreak(error)
  }
}

async function readText(response: Response): Promise<string> {
  try {
    return await response.text()
  } catch (error) {
    throw explainBreak(error)
  }
}

/** Reads a file. @throws NetworkError when it breaks off */
export async function readBlob(response: Response): Promise<Blob> {
  try {
    return await response.blob()
  } catch (error) {
    throw explainBreak(error)
  }
}

/** A cancelled call stays what it is; anything else that stops a fetch is the network. */
function explainBreak(error: unknown): unknown {
  const cancelled = error instanceof DOMException && error.name === 'AbortError'
  return cancelled ? error : new NetworkError(m.server_silent_title(), { cause: error })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isErrorBody(body: unknown): body is ErrorBody {
  return typeof body === 'object' && body !== null && 'code' in body && 'detail' in body
}
