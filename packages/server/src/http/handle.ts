import { sayIssue } from '@proofdesk/contract/messages'
import type { Viewer } from '@proofdesk/contract/permissions'
import type { In, Out, Route } from '@proofdesk/contract/route'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { AppError, refuseFields } from '../errors.ts'

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
  request: FastifyRequest
  reply: FastifyReply
}

/** A signed-in caller's call. */
export type ViewerCall<R extends Route> = Call<R> & SignedIn

/** Binds a route for signed-in callers to one function; input is parsed before it and output shaped after it. */
export function handle<R extends Route>(
  app: FastifyInstance,
  route: R,
  run: (call: ViewerCall<R>) => Promise<Out<R> | void>,
): void {
  bind(app, route, async (request, reply) => {
    const signedIn = mustBeSignedIn(route, request)
    return run({ ...readCall(route, request, reply), ...signedIn })
  })
}

/** @throws AppError `not_signed_in`, `two_factor_required` */
export function mustBeSignedIn(route: Route, { signedIn }: FastifyRequest): SignedIn {
  if (!signedIn) throw new AppError('not_signed_in')
  if (signedIn.mustSetUpTwoFactor && !route.isOpenBeforeTwoFactor) throw new AppError('two_factor_required')
  return signedIn
}

/** Binds a route that strangers may call; `request.signedIn` may still be there. */
export function handlePublic<R extends Route>(
  app: FastifyInstance,
  route: R,
  run: (call: Call<R>) => Promise<Out<R> | void>,
): void {
  bind(app, route, (request, reply) => run(readCall(route, request, reply)))
}

/**
 * Binds a route that people call with a token and visitors without. A token that does not hold is refused, so that a
 * person whose session ran out is not taken for a visitor.
 */
export function handleOptional<R extends Route>(
  app: FastifyInstance,
  route: R,
  run: (call: Call<R>) => Promise<Out<R> | void>,
): void {
  bind(app, route, async (request, reply) => {
    if (request.signedIn || request.headers.authorization !== undefined) mustBeSignedIn(route, request)
    return run(readCall(route, request, reply))
  })
}

/** Binds a route whose answer is a file: `run` sends the reply itself. */
export function handleFile<R extends Route>(
  app: FastifyInstance,
  route: R,
  run: (call: ViewerCall<R>) => Promise<FastifyReply>,
): void {
  app.route({
    method: route.method,
    url: route.path,
    handler: async (request, reply) => {
      const signedIn = mustBeSignedIn(route, request)
      return run({ ...readCall(route, request, reply), ...signedIn })
    },
  })
}

/** The same for strangers. */
export function handlePublicFile<R extends Route>(
  app: FastifyInstance,
  route: R,
  run: (call: Call<R>) => Promise<FastifyReply>,
): void {
  app.route({
    method: route.method,
    url: route.path,
    exposeHeadRoute: !route.changesState,
    handler: async (request, reply) => run(readCall(route, request, reply)),
  })
}

function bind(
  app: FastifyInstance,
  route: Route,
  run: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
): void {
  app.route({
    method: route.method,
    url: route.path,
    exposeHeadRoute: !route.changesState,
    config: { saysError: route.saysError ?? false },
    handler: async (request, reply) => {
      const result = await run(request, reply)
      // A function may have chosen another status, such as 202.
      if (reply.statusCode === 200) reply.code(route.status ?? 200)
      return route.response ? reply.send(route.response.parse(result)) : reply.send()
    },
  })
}

function readCall<R extends Route>(route: R, request: FastifyRequest, reply: FastifyReply): Call<R> {
  return {
    params: readParams(route.params, request.params),
    query: readPart(route.query, request.query),
    // A multipart body is read by the feature, part by part.
    body: route.upload ? undefined : readPart(route.body, request.body ?? {}),
    request,
    reply,
  } as Call<R>
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
