import { API_BASE } from '@proofdesk/contract/route'

/** Nobody waits longer; an approval takes ten seconds at most of itself. */
const PATIENCE_MS = 25_000

/** What came back of a call; undefined where nothing did that could be relied on. */
export type Reply = { status: number; code: string; json: unknown; bytes: Uint8Array } | undefined

export interface Question {
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  token?: string | undefined
  body?: object
}

/** `unreachable`: it never got there, so nothing has come of it. */
const UNREACHABLE = { status: 0, code: 'unreachable', json: null, bytes: new Uint8Array() } as const

/** Asks one node, once. An answer that breaks off is none. */
export async function ask(url: string, { method, path, token, body }: Question): Promise<Reply> {
  const isForm = body instanceof FormData
  try {
    const answer = await fetch(`${url}${API_BASE}${path}`, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    const bytes = new Uint8Array(await answer.arrayBuffer())
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') ?? false
    const json: unknown = isJson ? JSON.parse(new TextDecoder().decode(bytes)) : null
    const { code = '' } = (json ?? {}) as { code?: string }
    return { status: answer.status, code, json, bytes }
  } catch (error) {
    return isRefused(error) ? UNREACHABLE : undefined
  }
}

function isRefused(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return (error as { code?: unknown }).code === 'ECONNREFUSED' || isRefused(error.cause)
}

/** What is away may have done it all the same: nobody knows. */
const MAYBE_DONE = new Set(['database_unavailable', 'internal', 'read_timed_out'])

export type Judged =
  | { told: 'done'; status: number; json: unknown; bytes: Uint8Array }
  | { told: 'refused'; code: string }
  | { told: 'unknown' }

export function judgeReply(reply: Reply): Judged {
  if (reply === undefined || MAYBE_DONE.has(reply.code)) return { told: 'unknown' }
  const { status, code, json, bytes } = reply
  if (status >= 200 && status < 300) return { told: 'done', status, json, bytes }
  return { told: 'refused', code: code || String(status) }
}

/** For the figures: what the answer was in short. */
export function nameReply(reply: Reply): string {
  if (reply === undefined) return 'no answer'
  return reply.code === '' ? String(reply.status) : reply.status === 0 ? reply.code : `${reply.status} ${reply.code}`
}
