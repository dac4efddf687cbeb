import { openEvents } from '@proofdesk/contract/live'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { bind } from '../../http/bind.ts'
import { nameWindow } from '../../live/asking-window.ts'
import { findViewers } from '../sessions/service.ts'
import { openEventStreams } from './streams.ts'

export function liveRoutes(app: FastifyInstance, deps: Deps): void {
  const { live, logger } = deps
  const streams = openEventStreams({ live, logger, findViewers: (ids) => findViewers(deps, ids) })
  // Before the server waits for its requests to end: these end only when told to.
  app.addHook('preClose', async () => streams.close())
  bind(app, openEvents, async ({ request, reply, ...caller }) => {
    const body = streams.open(caller, nameWindow(request))
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
  })
}
