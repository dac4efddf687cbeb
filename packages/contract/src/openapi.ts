import { z } from 'zod'
import { STATUS_OF, type ErrorCode } from './errors.ts'
import { IdempotencyHeaders } from './idempotency-key.ts'
import { sayEnglish } from './messages.ts'
import { API_BASE, type Route } from './route.ts'
import { errorsOf, NAMED_SHAPES, ROUTE_GROUPS, ROUTES } from './routes.ts'

/** JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export type Schema = Record<string, unknown> & {
  type?: string
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  examples?: unknown[]
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: Schema
}

export interface Media {
  schema: Schema
  examples?: Record<string, { value: unknown }>
}

export interface Answer {
  description: string
  headers?: Record<string, { description: string; schema: Schema }>
  content?: Record<string, Media>
}

export interface Operation {
  operationId: string
  tags: string[]
  summary: string
  security: Record<string, string[]>[]
  parameters: Parameter[]
  requestBody?: { required: boolean; content: Record<string, Media> }
  responses: Record<string, Answer>
}

/** The whole API in OpenAPI 3.1 (spec.openapis.org/oas/v3.1.1). */
export interface ApiDocument {
  openapi: string
  info: { title: string; version: string; summary: string; description: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, unknown> }
}

const ABOUT = [
  'Every path answers with and without its trailing slash. Bodies and answers are JSON unless a call says otherwise; times are ISO 8601 in UTC; ids are integers from 1 to 2^53-1.',
  'Whoever is refused is told by `code`, which never changes, and `detail`, which is for people; faulty fields stand beside them as lists of messages. Nobody learns that another person’s thing exists: it is answered as missing. A method that a path does not take is answered with 405, and `Allow` names those it takes.',
  'An access token lasts 15 minutes and comes from signing in or from renewing a session. Limits count failures, not use; 429 says in `Retry-After` how many seconds to wait.',
  'A call that makes something and whose answer got lost can be sent again with the same `Idempotency-Key`, where it takes one: what it made is answered as it stands by then, nothing is made twice, and nobody is told twice. With another body under the same key it is refused.',
].join('\n\n')

/** Writes the document from the calls of the contract, so that it can say nothing else than what the server does. */
export function makeApiDocument(): ApiDocument {
  const paths: ApiDocument['paths'] = {}
  for (const { name, group, route } of ROUTES) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    ;(paths[path] ??= {})[route.method.toLowerCase()] = describeRoute(name, group, route)
  }
  return {
    openapi: '3.1.1',
    info: { title: 'Proofdesk API', version: '1', summary: 'Proof and verification of documents.', description: ABOUT },
    servers: [{ url: API_BASE }],
    tags: ROUTE_GROUPS.map(({ title, about }) => ({ name: title, description: about })),
    paths,
    components: {
      schemas: { Error: describeError(), ...describeShapes() },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An access token: `Authorization: Bearer …`.' },
      },
    },
  }
}

function describeRoute(name: string, group: string, route: Route): Operation {
  const operation: Operation = {
    operationId: name,
    tags: [group],
    summary: route.summary,
    security: describeAccess(route.access),
    parameters: [
      ...describeParameters('path', route.params),
      ...describeParameters('query', route.query),
      ...(route.isMadeOnce ? describeParameters('header', IdempotencyHeaders) : []),
      ...(route.file ? FILE_HEADERS : []),
    ],
    responses: { ...describeSuccesses(route), ...describeRefusals(route) },
  }
  if (route.body) {
    const type = route.upload ? 'multipart/form-data' : 'application/json'
    operation.requestBody = {
      required: !route.body.safeParse(undefined).success,
      content: {
        [type]: { schema: route.upload ? withFile(toSchema(route.body, 'input')) : toSchema(route.body, 'input') },
      },
    }
  }
  return operation
}

/** An empty requirement beside another one means that it may be left out. */
function describeAccess(access: Route['access']): Operation['security'] {
  if (access === 'public') return []
  return access === 'bearer' ? [{ bearer: [] }] : [{ bearer: [] }, {}]
}

function describeParameters(place: Parameter['in'], type: z.ZodType | undefined): Parameter[] {
  if (!type) return []
  const { properties = {}, required = [] } = toSchema(type, 'input')
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description !== undefined && { description }),
    schema,
  }))
}

const FILE_HEADERS: Parameter[] = [
  {
    name: 'Range',
    in: 'header',
    required: false,
    description: 'One range of bytes.',
    schema: { type: 'string', examples: ['bytes=0-65535'] },
  },
  {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'Entity tag of the copy one has.',
    schema: { type: 'string' },
  },
]

function withFile({ properties, required = [], ...schema }: Schema): Schema {
  const file: Schema = { type: 'string', contentMediaType: 'application/octet-stream', description: 'The file.' }
  return { ...schema, properties: { ...properties, file }, required: [...required, 'file'] }
}

function describeSuccesses(route: Route): Record<string, Answer> {
  const status = String(route.status ?? 200)
  if (route.file) return describeFile(route.file)
  if (route.download) {
    const content = Object.fromEntries(route.download.map((type) => [type, { schema: {} }]))
    return { 200: { description: 'The file.', content } }
  }
  if (route.stream)
    return { 200: { description: 'The stream.', content: { [route.stream]: { schema: { type: 'string' } } } } }
  if (!route.response) return { [status]: { description: 'Done; the answer is empty.' } }
  const content = { 'application/json': { schema: toSchema(route.response, 'output') } }
  const others = Object.entries(route.otherStatuses ?? {}).map(([other, description]) => [
    other,
    { description, content },
  ])
  return { [status]: { description: 'Done.', content }, ...Object.fromEntries(others) }
}

function describeFile(types: readonly string[]): Record<string, Answer> {
  const text: Schema = { type: 'string' }
  const etag = { ETag: { description: 'SHA-256 of the bytes.', schema: text } }
  // Bytes as they are: OpenAPI 3.1 describes them by their media type alone.
  const content = Object.fromEntries(types.map((type) => [type, { schema: {} }]))
  const range = { 'Content-Range': { description: 'Which part this is, and of how many bytes.', schema: text } }
  return {
    200: { description: 'The file.', headers: etag, content },
    206: { description: 'The part asked for.', headers: { ...etag, ...range }, content },
    304: { description: 'The copy with this entity tag still holds.', headers: etag },
  }
}

function describeRefusals(route: Route): Record<string, Answer> {
  const byStatus = Map.groupBy(errorsOf(route), (code) => STATUS_OF[code])
  return Object.fromEntries([...byStatus].map(([status, codes]) => [status, describeRefusal(status, codes)]))
}

function describeRefusal(status: number, codes: ErrorCode[]): Answer {
  const schema: Schema = { allOf: [ERROR_REFERENCE, { properties: { code: { enum: codes } } }] }
  const examples = Object.fromEntries(codes.map((code) => [code, { value: { code, detail: sayCode(code) } }]))
  const headers = REFUSAL_HEADERS[status]
  return {
    description: codes.map((code) => `\`${code}\`: ${sayCode(code)}`).join('\n'),
    ...(headers && { headers }),
    content: { 'application/json': { schema, examples } },
  }
}

/** Figures that an operator sets are left open. */
function sayCode(code: ErrorCode): string {
  return sayEnglish(code).replace(/\{\w+\}/g, '…')
}

const REFUSAL_HEADERS: Record<number, Answer['headers']> = {
  401: { 'WWW-Authenticate': { description: 'Always `Bearer`.', schema: { type: 'string' } } },
  416: { 'Content-Range': { description: 'How many bytes the file has: `bytes */1234`.', schema: { type: 'string' } } },
  429: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } } },
  503: { 'Retry-After': { description: 'Seconds after which to try again.', schema: { type: 'integer', minimum: 1 } } },
}

const ERROR_REFERENCE = { $ref: '#/components/schemas/Error' }

function describeError(): Schema {
  const text: Schema = { type: 'string' }
  return {
    type: 'object',
    description: 'Every refusal. Faulty fields stand beside `code` and `detail`.',
    properties: {
      code: { type: 'string', enum: Object.keys(STATUS_OF), description: 'For programs; never changes.' },
      detail: { type: 'string', description: 'For people; the wording may change.' },
      request_id: { type: 'string', description: 'Only on `internal`: what to quote when asking the operator.' },
    },
    required: ['code', 'detail'],
    additionalProperties: { anyOf: [{ type: 'array', items: text }, text] },
  }
}

/** Shapes that answers use, once each. */
function describeShapes(): Record<string, Schema> {
  const used = new Map<string, Schema>()
  const waiting = ROUTES.flatMap(({ route }) => (route.response ? [toSchema(route.response, 'output')] : []))
  const types = new Map([...NAMED_SHAPES].map(([type, name]) => [name, type]))
  for (const schema of waiting) {
    for (const [, name = ''] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      const type = types.get(name)
      if (!type || used.has(name)) continue
      const shape = toSchema(type, 'output', type)
      used.set(name, shape)
      waiting.push(shape)
    }
  }
  return Object.fromEntries([...used].toSorted(([a], [b]) => a.localeCompare(b)))
}

/**
 * A zod type as JSON Schema.
 * @param io what a caller sends, or what the server answers with
 * @param whole is written out even when it has a name; every other named shape of an answer is referred to
 */
function toSchema(type: z.ZodType, io: 'input' | 'output', whole?: z.ZodType): Schema {
  const { $schema: _, ...schema } = z.toJSONSchema(type, {
    io,
    // A choice that stands for 'missing' is told by the field not being required.
    unrepresentable: 'any',
    override: (context) => {
      const { jsonSchema } = context
      const zodSchema = context.zodSchema as unknown as z.ZodType
      if (jsonSchema.anyOf) jsonSchema.anyOf = jsonSchema.anyOf.filter((choice) => Object.keys(choice).length > 0)
      // Formats say it; the patterns behind them are hundreds of characters.
      if (jsonSchema.format === 'date-time' || jsonSchema.format === 'date') delete jsonSchema.pattern
      const name = io === 'output' && zodSchema !== whole ? NAMED_SHAPES.get(zodSchema) : undefined
      if (name === undefined) return
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key]
      jsonSchema.$ref = `#/components/schemas/${name}`
    },
  })
  // Through text, so that keys whose value is undefined are gone.
  return JSON.parse(JSON.stringify(schema)) as Schema
}
