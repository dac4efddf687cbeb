import type { ErrorBody, ErrorCode } from '@proofdesk/contract/errors'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import type { Logger } from '../logger.ts'

/** Some part is away: the code says which. */
const OUTAGE_STATUS = 503
/** When to ask again for what is away; a restart of a database takes about that long. */
const OUTAGE_RETRY_SECONDS = 5

/** The one place where a failure becomes an answer: what callers may read goes out, everything else into the log. */
export function installErrorHandler(app: FastifyInstance, logger: Logger): void {
  app.setErrorHandler((error, request, reply) => sendError(logger, error, request, reply))
}

/** The same for failures that happen before a route is found, such as an address that cannot be decoded. */
export function sendError(logger: Logger, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = error instanceof AppError ? error : translate(error)
  if (known) {
    if (known.status >= 500) logger.fail('request failed', known, { request_id: request.id })
    const retryAfter = known.retryAfterSeconds ?? (known.status === OUTAGE_STATUS ? OUTAGE_RETRY_SECONDS : undefined)
    if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
    if (known.status === 401) reply.header('www-authenticate', 'Bearer')
    const { status } = known
    return sendBody(reply, known, {
      ...repeatDetail(request, known),
      ...(status === 500 && { request_id: request.id }),
    })
  }
  logger.fail('unexpected failure', error, { request_id: request.id })
  const internal = new AppError('internal')
  return sendBody(reply, internal, { ...repeatDetail(request, internal), request_id: request.id })
}

/** Some screens show `error` (specification section 8). */
function repeatDetail(request: FastifyRequest, { message }: AppError): Partial<ErrorBody> {
  return request.routeOptions?.config?.saysError ? { error: message } : {}
}

function sendBody(reply: FastifyReply, error: AppError, extra: Partial<ErrorBody> = {}): FastifyReply {
  // What a handler promised for its success does not hold for a refusal.
  for (const name of ['content-disposition', 'content-range', 'content-length', 'etag', 'accept-ranges'])
    reply.removeHeader(name)
  return reply
    .code(error.status)
    .headers(error.headers)
    .header('content-type', 'application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .send({ ...error.toBody(), ...extra })
}

/** Refusals by the HTTP layer, in our own closed list of codes; undefined for what is a bug of ours. */
function translate(error: unknown): AppError | undefined {
  const { statusCode, code } = error as Partial<FastifyError>
  const translated = (as: ErrorCode) => new AppError(as, { cause: error })
  if (code === 'FST_ERR_BAD_URL' || code === 'FST_ERR_MAX_PARAM_LENGTH') return translated('not_found')
  if (statusCode === 404 || statusCode === 405) return translated('not_found')
  if (statusCode === 413) return translated('body_too_large')
  if (statusCode === 415 || statusCode === 406) return translated('unsupported_media_type')
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return translated('invalid')
  return undefined
}
