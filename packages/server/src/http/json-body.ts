import { sayEnglish } from '@proofdesk/contract/messages'
import type { FastifyInstance } from 'fastify'
import { refuseFields } from '../errors.ts'

/** Largest body of a call that is not an upload, in bytes. */
export const JSON_BODY_LIMIT = 100 * 1024

/**
 * Reads JSON bodies. An empty one counts as none: some calls need none, and clients announce JSON all the same. Keys
 * that would reach an object's prototype are refused.
 */
export function installJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null)
    else
      void parse(request, body as string, (error, value) => {
        // Whoever writes a client has to know that no field is at fault.
        if (error) done(refuseFields({ non_field_errors: [sayEnglish('json_malformed')] }))
        else done(null, value)
      })
  })
}
