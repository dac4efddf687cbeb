import { parseEntriesPath, parseTilePath } from '@proofdesk/proof/log/tiles'
import { ProofError } from '@proofdesk/proof/errors'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { readPart } from '../../http/bind.ts'
import { describeInstance, formatPolicy } from '../../log/describe-instance.ts'
import * as service from './service.ts'
import { witnessAddresses } from './witness-routes.ts'

/** A head may be this old, in seconds, before it is asked for again. */
const HEAD_SECONDS = 5
const FOR_EVER = 'public, max-age=31536000, immutable'
const FOR_A_MINUTE = 'public, max-age=60'
const FOR_NOW = `public, max-age=${HEAD_SECONDS}`

const Size = z
  .string()
  .regex(/^(0|[1-9]\d{0,14})$/)
  .transform(Number)
const Consistency = z.object({ old: Size, new: Size })
const Before = z.object({ before: Size.optional() })

/**
 * The log as anybody may read it, without an account and from any page: what it serves is public and says nothing about a
 * person. Formats: c2sp.org/tlog-tiles, c2sp.org/tlog-checkpoint, c2sp.org/tlog-policy.
 */
export function logAddresses(app: FastifyInstance, deps: Deps): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    })
    done()
  })

  const { witness } = deps
  const readStatusPage = service.openStatusPages(deps)
  if (witness) void app.register(async (site) => witnessAddresses(site, deps, witness))

  /** The newest signed head, with the signatures of witnesses. 404 before the first. */
  app.get('/log/checkpoint', async (_request, reply) => {
    const { note } = await service.readHead(deps)
    return sendText(reply, FOR_NOW, note)
  })

  /** Hashes of the tree and entries, by their paths in tlog-tiles; 404 beyond the newest signed head. */
  app.get<{ Params: { '*': string } }>('/log/tile/*', async (request, reply) => {
    const path = `tile/${request.params['*']}`
    const bytes = path.startsWith('tile/entries/')
      ? await service.readBundle(
          deps,
          read(() => parseEntriesPath(path)),
        )
      : await service.readTile(
          deps,
          read(() => parseTilePath(path)),
        )
    return reply.header('cache-control', FOR_EVER).type('application/octet-stream').send(Buffer.from(bytes))
  })

  /** Signed heads, the newest first, at most 100; `before` a size. JSON: `[{size, signed_at, note}]`. */
  app.get('/log/checkpoints', async (request, reply) => {
    const { before } = readPart(Before, request.query) as z.output<typeof Before>
    return reply.header('cache-control', FOR_NOW).send(await service.listHeads(deps, before))
  })

  /** That the tree of size `old` is the beginning of that of size `new`. JSON: `{old, new, path: [base64]}`. RFC 9162 section 2.1.4. */
  app.get('/log/consistency', async (request, reply) => {
    const sizes = readPart(Consistency, request.query) as z.output<typeof Consistency>
    return reply.header('cache-control', FOR_EVER).send(await service.proveGrowth(deps, sizes.old, sizes.new))
  })

  /**
   * Which entries of a part of the log are revoked, a bit each, with the proof that the log has it: who asks does not say for
   * which entry. 204 before it was first made. Form: `formatStatusPage` of packages/proof.
   */
  app.get<{ Params: { page: string } }>('/log/status/:page', async (request, reply) => {
    const page = Size.safeParse(request.params.page)
    if (!page.success) throw new AppError('not_found')
    const text = await readStatusPage(page.data)
    // Nothing is wrong: a browser's console would name a 404 to whoever checks a fresh document.
    if (text === undefined) return reply.header('cache-control', FOR_NOW).code(204).send()
    return sendText(reply, FOR_A_MINUTE, text)
  })

  /** All that a verifier of certified PDFs has to know of this installation, in one small file that is kept. */
  app.get('/log/instance-policy', async (_request, reply) =>
    reply
      .header('cache-control', FOR_NOW)
      .type('application/json')
      .send(Buffer.from(describeInstance(deps))),
  )

  /**
   * What each witness of the policy signed last: `{witnesses: [{name, note}], own_key}`, `note` the signed head, null where it
   * never did. `own_key` is the key that we witness others with, null where we do not. Whoever reads it checks the signatures.
   */
  app.get('/log/witnesses', async (_request, reply) =>
    reply.header('cache-control', FOR_NOW).send(await service.listWitnesses(deps)),
  )

  /** The keys that heads are signed by, and who witnesses them, as verifiers take it. */
  app.get('/log/policy', async (_request, reply) => sendText(reply, FOR_NOW, formatPolicy(deps)))
}

function sendText(reply: FastifyReply, caching: string, text: string): FastifyReply {
  return reply.header('cache-control', caching).type('text/plain; charset=utf-8').send(text)
}

/** A path that names no tile leads nowhere. */
function read<T>(parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (error instanceof ProofError) throw new AppError('not_found')
    throw error
  }
}
