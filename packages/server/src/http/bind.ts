import { IdempotencyHeaders } from '@proofdesk/contract/idempotency-key'
import { sayEnglish, sayIssue } from '@proofdesk/contract/messages'
import type { Viewer } from '@proofdesk/contract/permissions'
import { IDEMPOTENCY_HEADER, isHeadAnswered, type In, type Out, type Route } from '@proofdesk/contract/route'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { AppError, refuseFields } from '../errors.ts'
import { answerFor } from './asking-client.ts'

/** Who is asking, and by which session. */
export interface SignedIn {
  viewer: Viewer
  sessionId: number
  /** Their role asks for two-factor and they have none: only what sets it up is answered. */
  mustSetUpTwoFactor: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null without a valid access token. */
    signedIn: SignedIn | null
  }
  interface FastifyContextConfig {
    saysError?: boolean
  }
}

export interface Call<R extends Route> {
  params: In<R, 'params'>
  query: In<R, 'query'>
  body: In<R, 'body'>
  /** Under which it may come again; undefined where none was sent, and where the route takes none. */
  idempotencyKey: string | undefined
  request: FastifyRequest
  reply: FastifyReply
}

/** A signed-in caller's call. */
export type ViewerCall<R extends Route> = Call<R> & SignedIn

/** Where a token is demanded there is a caller; elsewhere `request.signedIn` may still be there. */
type CallOf<R extends Route> = R['access'] extends 'bearer' ? ViewerCall<R> : Call<R>

/** Files, streams and redirections are sent by the function itself. */
type AnswerOf<R extends Route> = R extends
  | { file: readonly string[] }
  | { download: readonly string[] }
  | { stream: string }
  | { status: 302 }
  ? FastifyReply
  : R extends { response: z.ZodType }
    ? Out<R>
    : void

/**
 * Binds a route to the one function that answers it. Who may call, what is read before and how the answer is shaped
 * after it follow from the contract alone.
 */
export function bind<R extends Route>(
  app: FastifyInstance,
  route: R,
  run: (call: CallOf<R>) => Promise<AnswerOf<R>>,
): void {
  const needsVerifiedEmail = !route.errors || route.errors.includes('email_not_verified')
  app.route({
    method: route.method,
    url: route.path,
    exposeHeadRoute: isHeadAnswered(route),
    config: { saysError: route.saysError ?? false },
    handler: async (request, reply) => {
      const caller = admit(route, request)
      const call = { ...readCall(route, request, reply), ...caller } as CallOf<R>
      const asking = caller && { ...caller, isForOwnAccount: route.isOfOwnAccount ?? false, needsVerifiedEmail }
      const answer: unknown = await answerFor(request.ip, asking, () => run(call))
      // A reply that was sent becomes nothing when it is awaited: once it ended, or when the client left in the middle.
      if (reply.raw.headersSent || answer === reply) return reply
      // A function may have chosen another status, such as 202.
      if (reply.statusCode === 200) reply.code(route.status ?? 200)
      return route.response ? reply.send(route.response.parse(answer)) : reply.send()
    },
  })
}

/**
 * Where a token is optional, one that does not hold is refused, so that a person whose session ran out is not taken for a
 * visitor.
 * @throws AppError `not_signed_in`, `two_factor_required`
 */
function admit(route: Route, request: FastifyRequest): SignedIn | undefined {
  if (route.access === 'public' || route.access === 'stale') return undefined
  const { signedIn } = request
  if (!signedIn && route.access === 'optional' && request.headers.authorization === undefined) return undefined
  if (!signedIn) throw new AppError('not_signed_in')
  if (signedIn.mustSetUpTwoFactor && !route.isOpenBeforeTwoFactor) throw new AppError('two_factor_required')
  return signedIn
}

function readCall<R extends Route>(route: R, request: FastifyRequest, reply: FastifyReply): Call<R> {
  return {
    params: readParams(route.params, request.params),
    query: readQuery(route.query, request.query),
    body: readBody(route, request),
    idempotencyKey: route.isMadeOnce && readIdempotencyKey(request),
    request,
    reply,
  } as Call<R>
}

/** @throws AppError `invalid` */
function readIdempotencyKey({ headers }: FastifyRequest): string | undefined {
  const sent = { [IDEMPOTENCY_HEADER]: headers[IDEMPOTENCY_HEADER.toLowerCase()] }
  return (readPart(IdempotencyHeaders, sent) as z.output<typeof IdempotencyHeaders>)[IDEMPOTENCY_HEADER]
}

/**
 * A multipart body is read by the feature, part by part; where none is due it must not be taken for an empty one.
 * @throws AppError `invalid`, `unsupported_media_type`
 */
function readBody(route: Route, request: FastifyRequest): unknown {
  if (route.upload) return undefined
  if (request.isMultipart()) throw new AppError('unsupported_media_type')
  return readPart(route.body, request.body ?? {})
}

/** @throws AppError `invalid`; of a field that stands there twice it says so: which of them was meant is anybody's guess. */
function readQuery(schema: z.ZodType | undefined, query: unknown): unknown {
  const repeated = Object.entries(query ?? {}).filter(([, value]) => Array.isArray(value))
  if (repeated.length > 0 && schema?.safeParse(query).success === false)
    throw refuseFields(Object.fromEntries(repeated.map(([field]) => [field, [sayEnglish('field_repeated')]])))
  return readPart(schema, query)
}

/** A path that holds no id leads nowhere. */
function readParams(schema: z.ZodType | undefined, value: unknown): unknown {
  if (!schema) return undefined
  const result = schema.safeParse(value)
  if (!result.success) throw new AppError('not_found')
  return result.data
}

/**
 * Parses one part of a request.
 * @throws AppError `invalid` with the messages of each faulty field; `detail` is the first of them.
 */
export function readPart(schema: z.ZodType | undefined, value: unknown): unknown {
  if (!schema) return undefined
  const result = schema.safeParse(value)
  if (result.success) return result.data
  // Without a prototype: a field may be called anything.
  const fields: Record<string, string[]> = Object.create(null)
  for (const issue of result.error.issues) {
    const field = issue.path.map(String).join('.') || 'non_field_errors'
    const words = sayIssue(issue.message)
    const said = (fields[field] ??= [])
    if (!said.includes(words)) said.push(words)
  }
  throw refuseFields(fields)
}
