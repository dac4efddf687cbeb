import type { FastifyInstance } from 'fastify'
import { Counter, Histogram, Registry } from 'prom-client'

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts of requests, for `/metrics`. */
    requestRegistry: Registry
  }
}

/** Seconds; most calls take milliseconds, an approval up to ten seconds, an upload over a slow line minutes. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60]

/** Counts and times every answer by the pattern of its route: real addresses hold tokens and names. */
export function installRequestTimes(app: FastifyInstance): void {
  const registry = new Registry()
  const registers = [registry]
  const times = new Histogram({
    name: 'proofdesk_http_request_duration_seconds',
    help: 'From the head of a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers,
  })
  const aborted = new Counter({
    name: 'proofdesk_http_requests_aborted_total',
    help: 'Requests whose client went away before the answer.',
    registers,
  })
  app.decorate('requestRegistry', registry)
  app.addHook('onResponse', ({ method, routeOptions }, reply, done) => {
    const labels = { method, route: routeOptions.url ?? 'none', status: reply.statusCode }
    times.observe(labels, reply.elapsedTime / 1000)
    done()
  })
  app.addHook('onRequestAbort', (_request, done) => {
    aborted.inc()
    done()
  })
}
