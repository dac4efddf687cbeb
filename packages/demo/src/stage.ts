import { setTimeout as pause } from 'node:timers/promises'
import { API_BASE } from '@proofdesk/contract/route'
import type { EmptyInstance } from '@proofdesk/server/empty-instance'
import { z } from 'zod'

const DAY_MS = 24 * 60 * 60 * 1000

/** A clock that is set back and runs from there; it is never set to an earlier time than it showed. */
export interface DemoClock {
  now: () => number
  set(at: number): void
}

export function makeDemoClock(): DemoClock {
  let behindBy = 0
  const now = () => Date.now() - behindBy
  let latest = 0
  return {
    now,
    set: (at) => {
      latest = Math.max(latest, at)
      behindBy = Date.now() - latest
    },
  }
}

const Id = z.object({ id: z.number() })
const Tokens = z.object({ access: z.string(), refresh: z.string() })

/** Calls the API as somebody, through everything a request goes through. */
export interface Caller {
  post(path: string, body?: object): Promise<unknown>
  patch(path: string, body: object): Promise<unknown>
  get(path: string): Promise<unknown>
  /** @returns the id of what was made. */
  make(path: string, body: object): Promise<number>
  upload(fields: Record<string, string>, file: { name: string; bytes: Uint8Array }): Promise<number>
}

/** A call of the demonstration was refused. */
export class RefusedCall extends Error {
  override readonly name = 'RefusedCall'
  readonly status: number
  readonly code: string | undefined
  constructor(call: string, status: number, body: string) {
    const code = readCode(body)
    super(`${call} was answered with ${status}${code === undefined ? '' : ` ${code}`}: ${body}`)
    this.status = status
    this.code = code
  }
}

function readCode(body: string): string | undefined {
  try {
    const { code } = JSON.parse(body) as { code?: unknown }
    return typeof code === 'string' ? code : undefined
  } catch {
    return undefined
  }
}

/** On a machine that is busy with other things nothing has changed, and the same call succeeds later. */
const BUSY = ['certifying_unavailable', 'document_preparing', 'database_unavailable']
const TRIES = 6
const TRY_AGAIN_MS = 5000

/** Where the demonstration is played: a time, and people signed in at that time. */
export interface Stage {
  /** Later than the time before. People are signed out as time goes on. @param time `HH:MM` UTC */
  on(daysAgo: number, time: string): Promise<void>
  /** The real present, from here on. */
  today(): Promise<void>
  as(username: string): Promise<Caller>
  /** A browser without an account. */
  stranger(): Caller
}

export function openStage(app: EmptyInstance['app'], clock: DemoClock, password: string, begin: number): Stage {
  const signedIn = new Map<string, { caller: Caller; refresh: string }>()

  async function signOutAll(): Promise<void> {
    for (const { caller, refresh } of signedIn.values()) await caller.post('/auth/logout/', { refresh })
    signedIn.clear()
  }

  return {
    on: async (daysAgo, time) => {
      await signOutAll()
      clock.set(Date.parse(`${new Date(begin - daysAgo * DAY_MS).toISOString().slice(0, 10)}T${time}:00Z`))
    },
    today: async () => {
      await signOutAll()
      clock.set(Date.now())
    },
    as: async (username) => {
      const known = signedIn.get(username)
      if (known) return known.caller
      const tokens = Tokens.parse(await makeCaller(app, {}).post('/auth/login/', { username, password }))
      const caller = makeCaller(app, { authorization: `Bearer ${tokens.access}` })
      // Whoever changes accounts may end sessions, their own excepted.
      signedIn.set(username, { caller, refresh: tokens.refresh })
      return caller
    },
    stranger: () => makeCaller(app, {}),
  }
}

type Headers = Record<string, string>

function makeCaller(app: EmptyInstance['app'], headers: Headers): Caller {
  let cookie: Headers = {}
  type Send = (method: 'GET' | 'POST' | 'PATCH', path: string, payload?: Buffer, more?: Headers) => Promise<unknown>
  const send: Send = async (...asked) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await sendOnce(...asked)
      } catch (error) {
        if (!(error instanceof RefusedCall && BUSY.includes(error.code ?? '')) || tries === TRIES) throw error
        await pause(TRY_AGAIN_MS)
      }
    }
  }
  const sendOnce: Send = async (method, path, payload, more = {}) => {
    const answer = await app.inject({
      method,
      url: `${API_BASE}${path}`,
      headers: { ...headers, ...cookie, ...more },
      ...(payload && { payload }),
    })
    if (answer.statusCode >= 300) throw new RefusedCall(`${method} ${path}`, answer.statusCode, answer.body)
    const given = answer.headers['set-cookie']
    if (typeof given === 'string') cookie = { cookie: given.split(';', 1)[0] ?? '' }
    return answer.body === '' ? undefined : (answer.json() as unknown)
  }
  const sendJson = (method: 'POST' | 'PATCH', path: string, body: object = {}) =>
    send(method, path, Buffer.from(JSON.stringify(body)), { 'content-type': 'application/json' })
  return {
    get: (path) => send('GET', path),
    post: (path, body) => sendJson('POST', path, body),
    patch: (path, body) => sendJson('PATCH', path, body),
    make: async (path, body) => Id.parse(await sendJson('POST', path, body)).id,
    upload: async (fields, file) => {
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) form.append(name, value)
      form.append('file', new Blob([Uint8Array.from(file.bytes)]), file.name)
      const encoded = new Response(form)
      const type = encoded.headers.get('content-type') ?? ''
      const answer = await send('POST', '/contents/', Buffer.from(await encoded.arrayBuffer()), {
        'content-type': type,
      })
      return Id.parse(answer).id
    },
  }
}
