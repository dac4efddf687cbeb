import { once } from 'node:events'
import { createServer, request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A reverse proxy whose connections to the browser may die once the server has done its work, before its answer. */
export interface DyingLine {
  url: string
  /** The next call of this kind gets no answer; method and path. */
  loseNext(call: string): void
  /** How often each kind of call came. */
  calls: string[]
  close(): Promise<void>
}

export async function layDyingLine(to: string): Promise<DyingLine> {
  const calls: string[] = []
  let lost: string | undefined
  const nameCall = ({ method = '', url = '' }: IncomingMessage) => `${method} ${new URL(url, to).pathname}`
  const proxy = createServer((incoming, response) => {
    const { method, headers, url } = incoming
    const call = nameCall(incoming)
    calls.push(call)
    const isLost = call === lost
    if (isLost) lost = undefined
    const outgoing = request(`${to}${url ?? ''}`, { method, headers }, (answer) => {
      // Without a byte of an answer a browser takes a connection that was used before for one that had died while it was idle.
      if (isLost) return void response.destroy()
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    outgoing.on('error', () => response.destroy())
    incoming.pipe(outgoing)
  }).listen(0, '127.0.0.1')
  // A browser sends again by itself only on a connection that it has used before: these are kept, however slow the machine is.
  proxy.keepAliveTimeout = 0
  await once(proxy, 'listening')
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    loseNext(call) {
      lost = call
    },
    calls,
    async close() {
      proxy.closeAllConnections()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}
