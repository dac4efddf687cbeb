import type { FastifyInstance } from 'fastify'
import { looksLikeToken } from '../secrets/tokens.ts'
import type { SignedIn } from './bind.ts'

/**
 * Names the caller of every request below `app` by its bearer token. A missing or bad token leaves a stranger: calls
 * that demand a person answer 401 themselves, the others must work with a stale token too.
 * @param find Looks an access token up; undefined when it is unknown, expired or its person is out.
 */
export function installViewer(app: FastifyInstance, find: (token: string) => Promise<SignedIn | undefined>): void {
  app.decorateRequest('signedIn', null)
  app.addHook('onRequest', async (request) => {
    const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
    if (token && looksLikeToken(token)) request.signedIn = (await find(token)) ?? null
  })
}
