import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import type { OwnWitness } from '../../log/keep-witness-key.ts'
import { addCheckpoint, describeWitness } from './witness-heads.ts'

/** A head with 16 signatures, those of other kinds among them, and a path of 63 hashes. */
const MAX_REQUEST_BYTES = 64 * 1024
/** c2sp.org/tlog-witness, "add-checkpoint" */
const SIZE_TYPE = 'text/x.tlog.size'

/** What other logs ask of us as their witness. c2sp.org/tlog-witness */
export async function witnessAddresses(site: FastifyInstance, deps: Deps, witness: OwnWitness): Promise<void> {
  site.removeAllContentTypeParsers()
  site.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MAX_REQUEST_BYTES }, (_request, body, done) =>
    done(null, body),
  )

  /** Whose heads we sign, the newest of each, and any that contradicts it. JSON: `{verifier_key, logs: [{origin, size, note, cosigned_at, contradiction}]}`. */
  site.get('/log/witness', async (_request, reply) =>
    reply.header('cache-control', 'no-store').send(await describeWitness(deps, witness)),
  )

  /** Signs a head: 200 with the signature, 400, 403, 404, 409 with the size that was signed last, 422. */
  site.post('/log/witness/add-checkpoint', async (request, reply) => {
    const text = typeof request.body === 'string' ? request.body : ''
    const { status, body } = await addCheckpoint(deps, witness, text, request.ip)
    return reply
      .code(status)
      .header('cache-control', 'no-store')
      .type(status === 409 ? SIZE_TYPE : 'text/plain; charset=utf-8')
      .send(body)
  })
}
