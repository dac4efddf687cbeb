import { BlockList } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { runInSpan, type Span, type Tracing } from '../span.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined where nothing is traced. */
    span: Span | undefined
  }
}

/**
 * A span for each request, by the pattern of its route: real addresses hold tokens and names. A proxy that is trusted may say
 * which trace it belongs to; what anybody else says about that is not heard. Before all other hooks, so that what they do and
 * log belongs to it.
 */
export function installRequestSpans(
  app: FastifyInstance,
  tracing: Tracing | undefined,
  trustProxy: readonly string[],
): void {
  if (!tracing) return
  const isTrusted = openPeerCheck(trustProxy)
  app.decorateRequest('span', undefined)
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, routeOptions, raw } = request
    const route = routeOptions.url ?? 'none'
    const traceparent = isTrusted(request) ? readHeader(raw.headers['traceparent']) : undefined
    const facts = { 'http.request.method': method, 'http.route': route }
    request.span = tracing.begin(`${method} ${route}`, facts, { kind: 'request', traceparent })
    runInSpan(request.span, done)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode } = reply
    const failure = statusCode >= 500 ? { code: String(statusCode) } : undefined
    request.span?.end({ 'http.response.status_code': statusCode }, failure && Object.assign(new Error(), failure))
    runInSpan(request.span, done)
  })
  app.addHook('onRequestAbort', (request, done) => {
    request.span?.end({ 'http.request.aborted': true })
    runInSpan(request.span, done)
  })
}

function readHeader(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Who speaks to us themselves, whatever they say of others. */
function openPeerCheck(trustProxy: readonly string[]): (request: FastifyRequest) => boolean {
  const trusted = new BlockList()
  for (const one of trustProxy) {
    const [address = '', bits] = one.split('/')
    const family = address.includes(':') ? 'ipv6' : 'ipv4'
    if (bits === undefined) trusted.addAddress(address, family)
    else trusted.addSubnet(address, Number(bits), family)
  }
  return ({ raw }) => {
    const address = (raw.socket.remoteAddress ?? '').replace(/^::ffff:/, '')
    return address !== '' && trusted.check(address, address.includes(':') ? 'ipv6' : 'ipv4')
  }
}
