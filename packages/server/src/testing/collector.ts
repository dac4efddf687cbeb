import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import type { TracingSettings } from '../config/tracing-settings.ts'

const Value = z.object({
  stringValue: z.string().optional(),
  intValue: z.union([z.string(), z.number()]).optional(),
  boolValue: z.boolean().optional(),
})
const Attributes = z.array(z.object({ key: z.string(), value: Value }))

/** OTLP in JSON. https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding */
const Export = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: Attributes }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: z.string().regex(/^[0-9a-f]{32}$/),
              spanId: z.string().regex(/^[0-9a-f]{16}$/),
              parentSpanId: z.string().optional(),
              name: z.string(),
              kind: z.number(),
              startTimeUnixNano: z.string(),
              endTimeUnixNano: z.string(),
              attributes: Attributes,
              status: z.object({ code: z.number() }),
            }),
          ),
        }),
      ),
    }),
  ),
})

export interface ReceivedSpan {
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  name: string
  facts: Record<string, string>
  hasFailed: boolean
}

/** A collector of traces that a test looks into. */
export interface TestCollector {
  settings: TracingSettings
  /** Bodies as they came. */
  received: string[]
  headers: IncomingHttpHeaders[]
  spans(): ReceivedSpan[]
  /** Attributes of whoever sent, of all batches. */
  resources(): Record<string, string>[]
  /** Answers otherwise from now on; null: as before. */
  behave(manners: ((reply: ServerResponse) => void) | null): void
}

const STATUS_ERROR = 2

/** Takes everything, until told otherwise; closed when the test ends. */
export async function startCollector(t: { after(end: () => void): unknown }): Promise<TestCollector> {
  const received: string[] = []
  const headers: IncomingHttpHeaders[] = []
  let manners: ((reply: ServerResponse) => void) | null = null
  async function take(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const body = await text(request)
    headers.push(request.headers)
    if (manners) return manners(reply)
    received.push(body)
    reply.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }
  const server = createServer((request, reply) => {
    if (request.method === 'POST' && request.url === '/v1/traces') void take(request, reply)
    else reply.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const listResources = () => received.flatMap((body) => Export.parse(JSON.parse(body)).resourceSpans)
  return {
    settings: {
      url: `http://127.0.0.1:${port}/v1/traces`,
      headers: {},
      serviceName: 'proofdesk',
      ratio: 1,
      followsParent: true,
    },
    received,
    headers,
    resources: () => listResources().map(({ resource }) => readFacts(resource.attributes)),
    spans: () =>
      listResources().flatMap(({ scopeSpans }) =>
        scopeSpans.flatMap(({ spans }) =>
          spans.map(({ traceId, spanId, parentSpanId, name, attributes, status }) => ({
            traceId,
            spanId,
            parentSpanId: parentSpanId || undefined,
            name,
            facts: readFacts(attributes),
            hasFailed: status.code === STATUS_ERROR,
          })),
        ),
      ),
    behave: (next) => {
      manners = next
    },
  }
}

function readFacts(attributes: z.output<typeof Attributes>): Record<string, string> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, String(value.stringValue ?? value.intValue ?? value.boolValue)]),
  )
}
