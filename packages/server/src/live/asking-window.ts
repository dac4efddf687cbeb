import { AsyncLocalStorage } from 'node:async_hooks'
import { WINDOW_HEADER, WINDOW_NAME } from '@proofdesk/contract/live'
import type { FastifyInstance, FastifyRequest } from 'fastify'

const windows = new AsyncLocalStorage<string>()

/** Remembers, for as long as a request below `app` is worked on, which window it comes from. */
export function installAskingWindow(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const name = nameWindow(request)
    if (name === undefined) done()
    else windows.run(name, done)
  })
}

/** The window whose request is being worked on; undefined outside of requests. */
export function findAskingWindow(): string | undefined {
  return windows.getStore()
}

export function nameWindow({ headers }: FastifyRequest): string | undefined {
  const name = headers[WINDOW_HEADER]
  return typeof name === 'string' && WINDOW_NAME.test(name) ? name : undefined
}
