import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Context, type Span as SdkSpan } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
} from '@opentelemetry/sdk-trace'
import type { TracingSettings } from '../config/tracing-settings.ts'
import { VERSION } from '../config/version.ts'
import { nameFailure, type Logger } from '../logger.ts'
import type { Span, SpanFacts, Tracing } from '../span.ts'
import { parseTraceparent } from './parse-traceparent.ts'
import { sayOnce } from './say-once.ts'

/** For one batch with all its repetitions, in milliseconds. */
const BATCH_MS = 5000
/** How long the end of the process waits for the last batch, in milliseconds. */
const CLOSE_MS = 2000
/** Spans that wait, at most; a collector that is away costs no more memory than these. */
const MOST_WAITING = 2048

const KINDS = { request: SpanKind.SERVER, work: SpanKind.CONSUMER }

/**
 * Traces that go to a collector in batches, from a queue of their own: nobody waits for it, and one that is away loses us
 * spans and nothing else. Loaded only where a collector is set.
 */
export function openTracing(settings: TracingSettings, logger: Logger): Tracing {
  const exporter = new OTLPTraceExporter({ url: settings.url, headers: settings.headers, timeoutMillis: BATCH_MS })
  const provider = new TracerProvider({
    sampler: openSampler(settings),
    resource: resourceFromAttributes({
      'service.name': settings.serviceName,
      'service.version': VERSION,
      'service.instance.id': randomUUID(),
    }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: sayOnce(exporter, logger),
        maxQueueSize: MOST_WAITING,
        exportTimeoutMillis: BATCH_MS,
      }),
    ],
  })
  const tracer = provider.getTracer('proofdesk', VERSION)

  function wrap(span: SdkSpan): Span {
    const { traceId, spanId, traceFlags } = span.spanContext()
    let context: Context | undefined
    let isOver = false
    return {
      traceId,
      traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
      begin: (name, attributes, startTime) => {
        context ??= trace.setSpan(ROOT_CONTEXT, span)
        return wrap(tracer.startSpan(name, { attributes, ...(startTime !== undefined && { startTime }) }, context))
      },
      end: (facts: SpanFacts = {}, failure?: unknown) => {
        if (isOver) return
        isOver = true
        span.setAttributes(facts)
        if (failure !== undefined) {
          // Never its words: they may hold anything.
          span.setAttribute('error.type', nameFailure(failure))
          span.setStatus({ code: SpanStatusCode.ERROR })
        }
        span.end()
      },
    }
  }

  return {
    begin: (name, attributes, { kind, traceparent }) => {
      const parent = parseTraceparent(traceparent)
      const context = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT
      return wrap(tracer.startSpan(name, { kind: KINDS[kind], attributes }, context))
    },
    close: async () => {
      const enough = new AbortController()
      const late = pause(CLOSE_MS, undefined, { signal: enough.signal }).catch(() => {})
      // Why the last batch failed is said already.
      await Promise.race([provider.shutdown().catch(() => {}), late])
      enough.abort()
    },
  }
}

function openSampler({ ratio, followsParent }: TracingSettings): Sampler {
  const root = ratio === 1 ? new AlwaysOnSampler() : new TraceIdRatioBasedSampler(ratio)
  return followsParent ? new ParentBasedSampler({ root }) : root
}
