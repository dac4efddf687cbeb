import type { FastifyInstance, FastifyRequest } from 'fastify'
import { looksLikeToken } from '../secrets/tokens.ts'
import type { SignedIn } from './bind.ts'

/** Milliseconds after which a token is looked up again: a body may take a quarter of an hour to come, and the session may end meanwhile. */
const LOOKED_UP_FOR_MS = 1000

/**
 * Names the caller of every request below `app` by its bearer token. A missing or bad token leaves a stranger: calls
 * that demand a person answer 401 themselves, the others must work with a stale token too.
 * @param find Looks an access token up; undefined when it is unknown, expired or its person is out.
 */
export function installViewer(app: FastifyInstance, find: (token: string) => Promise<SignedIn | undefined>): void {
  const lookedUpAt = new WeakMap<FastifyRequest, number>()
  const nameCaller = (request: FastifyRequest, done: (error?: Error) => void): void => {
    const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
    if (!token || !looksLikeToken(token)) return done()
    lookedUpAt.set(request, performance.now())
    find(token).then((caller) => {
      request.signedIn = caller ?? null
      done()
    }, done)
  }
  app.decorateRequest('signedIn', null)
  // Not `async`: a promise for each hook of each request takes longer than what most of them do.
  app.addHook('onRequest', (request, _reply, done) => nameCaller(request, done))
  // Once the body is there.
  app.addHook('preValidation', (request, _reply, done) => {
    const at = lookedUpAt.get(request)
    if (at !== undefined && performance.now() - at > LOOKED_UP_FOR_MS) nameCaller(request, done)
    else done()
  })
}
