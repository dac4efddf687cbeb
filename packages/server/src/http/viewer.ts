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
  const nameCaller = async (request: FastifyRequest): Promise<void> => {
    const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
    if (!token || !looksLikeToken(token)) return
    lookedUpAt.set(request, performance.now())
    request.signedIn = (await find(token)) ?? null
  }
  app.decorateRequest('signedIn', null)
  app.addHook('onRequest', nameCaller)
  // Once the body is there.
  app.addHook('preValidation', async (request) => {
    const at = lookedUpAt.get(request)
    if (at !== undefined && performance.now() - at > LOOKED_UP_FOR_MS) await nameCaller(request)
  })
}
