import type { FastifyInstance } from 'fastify'
import type { Logger } from '../logger.ts'
import { isApi } from './security-headers.ts'

/**
 * One line an answer. The route's pattern stands for the address: real addresses hold tokens and names. Who asked, from
 * where and with what is not logged.
 */
export function installRequestLog(app: FastifyInstance, logger: Logger): void {
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    // Files of the web app and pages are many and tell little.
    const say = isApi(route) || reply.statusCode >= 500 ? logger.info : logger.debug
    say('request', {
      method: request.method,
      route,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      request_id: request.id,
    })
    done()
  })
  app.addHook('onRequestAbort', (request, done) => {
    logger.info('request broke off', { method: request.method, route: request.routeOptions.url ?? 'none' })
    done()
  })
}
