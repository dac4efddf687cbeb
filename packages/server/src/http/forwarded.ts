import type { FastifyInstance } from 'fastify'

const HEADER = 'x-forwarded-for'

/**
 * Some proxies write the port beside the address (`192.0.2.7:4711`, `[2001:db8::1]:4711`). Taken as it stands no such
 * entry would be an address, and all who come by that proxy would count as one. Before anything asks for the client.
 */
export function installForwardedAddresses(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
    const given = headers[HEADER]
    if (given !== undefined) headers[HEADER] = String(given).split(',').map(stripPort).join(', ')
    done()
  })
}

function stripPort(entry: string): string {
  const text = entry.trim()
  return /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(text)?.[1] ?? text
}
