import { openEvents } from '@proofdesk/contract/events'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { mustBeSignedIn } from '../../http/handle.ts'
import { findViewers } from '../sessions/service.ts'
import { openEventStreams } from './streams.ts'

export function eventRoutes(app: FastifyInstance, deps: Deps): void {
  const { live, log } = deps
  const streams = openEventStreams({ live, log, findViewers: (ids) => findViewers(deps, ids) })
  // Before the server waits for its requests to end: these end only when told to.
  app.addHook('preClose', async () => streams.close())
  app.route({
    method: openEvents.method,
    url: openEvents.path,
    // A HEAD would begin a stream that nobody reads.
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const body = streams.open(mustBeSignedIn(openEvents, request))
      // Whoever left while their token was looked up does not take up one of their five.
      if (request.raw.socket.destroyed) body.destroy()
      return (
        reply
          .header('content-type', 'text/event-stream; charset=utf-8')
          .header('cache-control', 'no-store, no-transform')
          // nginx and those who follow it pass every line on as it comes.
          .header('x-accel-buffering', 'no')
          .send(body)
      )
    },
  })
}
