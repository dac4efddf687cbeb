import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'

/** A reverse proxy that takes each upload in whole, and passes it on whether or not anybody still waits for the answer. */
export interface BufferingProxy {
  url: string
  /** Passes on what it holds, and what is still to come at once. */
  release(): void
  close(): Promise<void>
}

export async function layBufferingProxy(to: string): Promise<BufferingProxy> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  async function hold(body: Readable): Promise<Readable> {
    const chunks = await body.toArray()
    await released
    return Readable.from(chunks)
  }
  const proxy = createServer((incoming, response) => {
    const { method, headers, url } = incoming
    const passOn = (body: Readable) => {
      const outgoing = request(`${to}${url ?? ''}`, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      })
      outgoing.on('error', () => response.destroy())
      body.pipe(outgoing)
    }
    if (headers['content-type']?.startsWith('multipart/')) void hold(incoming).then(passOn)
    else passOn(incoming)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    release,
    async close() {
      release()
      proxy.closeAllConnections()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}
