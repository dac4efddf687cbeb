import { once } from 'node:events'
import { createServer, request, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** What comes of one request; `pass` sends it on. */
export type Fate =
  | 'pass'
  | 'slow'
  | 'narrow'
  | 'busy'
  | 'reset'
  | 'lose the answer'
  | 'break in the middle'
  | 'silent in the middle'
  | 'never answer'

/** Stands between a store of ours and a real one, and does to requests what networks and busy stores do. */
export interface S3Proxy {
  endpoint: string
  /** Asked for each request; all pass at first. */
  decide: (method: string, path: string) => Fate
  /** Methods and paths of what came in, with what became of it. */
  seen: { method: string; path: string; fate: Fate }[]
}

/** How long a slow one takes before it begins. */
const SLOW_MS = 2500
/** What comes through a narrow line in a second. */
const NARROW_BYTES = 1024 * 1024
const SLOW_DOWN = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>SlowDown</Code><Message>Busy.</Message></Error>`

interface TestContext {
  after(end: () => Promise<void>): unknown
}

/** @param endpoint Of the real store. */
export async function startS3Proxy(t: TestContext, endpoint: string): Promise<S3Proxy> {
  const real = new URL(endpoint)
  const server = createServer((incoming, answer) => {
    const [method, path] = [incoming.method ?? '', incoming.url ?? '']
    const fate = proxy.decide(method, path)
    proxy.seen.push({ method, path, fate })
    handle(real, fate, incoming, answer)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  const proxy: S3Proxy = { endpoint: `http://127.0.0.1:${port}`, decide: () => 'pass', seen: [] }
  return proxy
}

function handle(real: URL, fate: Fate, incoming: IncomingMessage, answer: ServerResponse): void {
  if (fate === 'slow') return void setTimeout(() => handle(real, 'pass', incoming, answer), SLOW_MS)
  if (fate === 'reset') return void incoming.socket.resetAndDestroy()
  if (fate === 'never answer') return void incoming.resume()
  if (fate === 'busy') {
    incoming.resume()
    answer.writeHead(503, { 'content-type': 'application/xml' }).end(incoming.method === 'HEAD' ? undefined : SLOW_DOWN)
    return
  }
  const { hostname, port } = real
  // The signature covers the name of the host that the client meant.
  const { method, url: path, headers } = incoming
  const passed = request({ hostname, port, method, path, headers }, (given) => {
    if (fate === 'lose the answer') {
      given.resume().on('end', () => incoming.socket.resetAndDestroy())
      return
    }
    answer.writeHead(given.statusCode ?? 502, given.headers)
    if (fate === 'pass' || fate === 'narrow') return void given.pipe(answer)
    given.once('data', (piece: Buffer) => {
      given.destroy()
      const half = piece.subarray(0, Math.ceil(piece.length / 2))
      answer.write(half, () => {
        if (fate === 'break in the middle') incoming.socket.resetAndDestroy()
      })
    })
  })
  passed.on('error', () => answer.destroy())
  if (fate === 'narrow') void pipeSlowly(incoming, passed).catch(() => passed.destroy())
  else incoming.pipe(passed)
}

async function pipeSlowly(incoming: IncomingMessage, passed: ClientRequest): Promise<void> {
  for await (const piece of incoming as AsyncIterable<Buffer>) {
    await sleep((piece.length / NARROW_BYTES) * 1000)
    passed.write(piece)
  }
  passed.end()
}
