import type { FastifyInstance } from 'fastify'
import type { Log } from '../log.ts'

/**
 * One line an answer. The route's pattern stands for the address: real addresses hold tokens and names. Who asked, from
 * where and with what is not logged.
 */
export function installRequestLog(app: FastifyInstance, log: Log): void {
  app.addHook('onResponse', async (request, reply) => {
    log.info('request', {
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      request_id: request.id,
    })
  })
  app.addHook('onRequestAbort', async (request) => {
    log.info('request broke off', { method: request.method, route: request.routeOptions.url ?? 'none' })
  })
}
