import { API_BASE } from '@proofdesk/contract/route'
import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { onTestFinished } from 'vitest'
import { movePage } from './real-server.ts'

/**
 * `refused`: a page of the gateway's own, which says nothing of ours. `page`: the same as a success. `garbled`: a success with
 * an answer of another shape. `limited`: too many attempts, to be tried again after 90 seconds. `broken`: a fault of the
 * server, with the body that is given. `late`: as the server answers, once it is released. `busy`: too many at once, come
 * again in a second. `lost`: the server does its work, but the connection breaks off before its answer. `overdue`: it does
 * its work, but a page of the gateway's own comes first. `faulty`: it does its work, and fails after it. `buffered`: all of
 * it is taken in and, once it is released, passed on, whether or not anybody still waits for the answer.
 */
export type Trouble =
  | 'refused'
  | 'page'
  | 'garbled'
  | 'limited'
  | 'broken'
  | 'late'
  | 'busy'
  | 'lost'
  | 'overdue'
  | 'faulty'
  | 'buffered'

/** What stands in the place of the server's answer. */
const INSTEAD: Partial<Record<Trouble, { status: number; type: string; body: string }>> = {
  overdue: { status: 504, type: 'text/html', body: '<h1>Gateway Timeout</h1>' },
  faulty: {
    status: 503,
    type: 'application/json',
    body: JSON.stringify({ code: 'database_unavailable', detail: 'The database is away.' }),
  },
}

/** A reverse proxy between the page and the real server, in whose way things go wrong as they do in earnest. */
export interface Gateway {
  /**
   * @param call Method and path below the API's base, without the query: `GET /collections/`.
   * Of what is late, that counts which is set when it is released.
   * @param body Of a garbled answer or a broken one; an empty object when absent.
   */
  trouble(call: string, kind: Trouble, body?: string): void
  /** From now on the call is answered as the server does. */
  mend(call: string): void
  /** Lets late and buffered calls through, those to come as well. */
  release(): void
  /** Calls that came so far, as `trouble` names them. */
  calls: string[]
}

/** Puts a gateway before the server the page talks to. */
export async function useGateway(): Promise<Gateway> {
  const { origin: server } = location
  const troubles = new Map<string, { kind: Trouble; body: string }>()
  const calls: string[] = []
  const { promise: released, resolve: release } = Promise.withResolvers<void>()

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(incoming.url ?? '/', server)
    const call = `${incoming.method ?? ''} ${pathname.slice(API_BASE.length)}`
    calls.push(call)
    const { kind: first } = troubles.get(call) ?? {}
    const taken = first === 'buffered' ? Readable.from(await incoming.toArray()) : incoming
    if (first === 'late' || first === 'buffered') await released
    const { kind, body } = troubles.get(call) ?? {}
    if (kind === 'refused')
      return void response.writeHead(403, { 'content-type': 'text/html' }).end('<h1>Forbidden</h1>')
    if (kind === 'page') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>')
    if (kind === 'limited')
      return void response
        .writeHead(429, { 'content-type': 'application/json', 'retry-after': '90' })
        .end('{"code":"rate_limited","detail":"Too many attempts. Please wait and try again."}')
    if (kind === 'garbled') return void response.writeHead(200, { 'content-type': 'application/json' }).end(body)
    if (kind === 'broken') return void response.writeHead(500, { 'content-type': 'application/json' }).end(body)
    if (kind === 'busy') return void response.writeHead(429, { 'retry-after': '1' }).end()
    const { method, headers, url } = incoming
    const passedOn = request(`${server}${url ?? ''}`, { method, headers }, (answered) => {
      if (kind === 'lost') return void response.destroy()
      const instead = kind && INSTEAD[kind]
      if (instead) return void response.writeHead(instead.status, { 'content-type': instead.type }).end(instead.body)
      response.writeHead(answered.statusCode ?? 502, answered.headers)
      answered.pipe(response)
    })
    passedOn.on('error', () => response.destroy())
    taken.pipe(passedOn)
  }

  const gateway = createServer((incoming, response) => void answer(incoming, response))
  // Typing may take a slow machine longer than a connection is kept, and what is sent into its end never arrives.
  gateway.keepAliveTimeout = 0
  gateway.listen(0, '127.0.0.1')
  await once(gateway, 'listening')
  onTestFinished(() => {
    release()
    gateway.closeAllConnections()
    gateway.close()
  })
  movePage(`http://127.0.0.1:${(gateway.address() as AddressInfo).port}`)
  return {
    trouble: (call, kind, body = '{}') => void troubles.set(call, { kind, body }),
    mend: (call) => void troubles.delete(call),
    release: () => release(),
    calls,
  }
}
