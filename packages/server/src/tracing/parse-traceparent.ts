import { isSpanContextValid, type SpanContext } from '@opentelemetry/api'

/** Versions after 00 may go on behind the flags. https://www.w3.org/TR/trace-context/#versioning-of-traceparent */
const FORM = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.{0,200})?$/

/** @returns undefined for what is none: a trace of its own begins then. */
export function parseTraceparent(text: string | undefined): SpanContext | undefined {
  const [, version, traceId = '', spanId = '', flags = '', rest] = FORM.exec(text ?? '') ?? []
  if (version === '00' && rest !== undefined) return undefined
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
  return isSpanContextValid(context) ? context : undefined
}
