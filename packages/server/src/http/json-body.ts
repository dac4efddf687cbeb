import { isUtf8 } from 'node:buffer'
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
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    // Whoever writes a client has to know that no field is at fault.
    const refuse = () => done(refuseFields({ non_field_errors: [sayEnglish('json_malformed')] }))
    if (body.length === 0) done(null)
    // JSON is UTF-8 (RFC 8259, section 8.1); what is not would be kept as other letters than were sent.
    else if (!isUtf8(body as Buffer)) refuse()
    else void parse(request, body.toString(), (error, value) => (error ? refuse() : done(null, value)))
  })
}
