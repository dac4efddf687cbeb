import { AsyncLocalStorage } from 'node:async_hooks'

/** Facts of a span: closed words, codes, counts. Never what somebody wrote, who they are, where they are, or what they hold. */
export type SpanFacts = Record<string, string | number | boolean>

/** A piece of work with its beginning and its end, inside another or at the root of a trace. */
export interface Span {
  /** 32 hex digits. */
  traceId: string
  /** For who goes on with it elsewhere or later. https://www.w3.org/TR/trace-context/#traceparent-header */
  traceparent: string
  /** Begins a step inside it. @param startedAt Milliseconds since 1970-01-01 UTC; now when absent. */
  begin(name: string, facts: SpanFacts, startedAt?: number): Span
  /** Once; what comes after the first end is not heard. @param failure What was thrown, of which the short name is kept. */
  end(facts?: SpanFacts, failure?: unknown): void
}

/** Where traces go. */
export interface Tracing {
  /** Begins a trace, or goes on with one that somebody else began. */
  begin(name: string, facts: SpanFacts, options: { kind: 'request' | 'work'; traceparent: string | undefined }): Span
  /** Sends what is not sent yet, for a few seconds at most. */
  close(): Promise<void>
}

/**
 * In which span the present work is done. It goes beside the calls instead of through them, as the asking client does:
 * whoever has a step of interest names it, and without tracing that costs a look into an empty store.
 */
const spans = new AsyncLocalStorage<Span | undefined>()

/** Undefined where nothing is traced. */
export function findSpan(): Span | undefined {
  return spans.getStore()
}

/** @param span Undefined where nothing is traced. */
export function runInSpan<T>(span: Span | undefined, work: () => T): T {
  return span ? spans.run(span, work) : work()
}

/** Does work as a step of the present span, if there is one. */
export async function inStep<T>(name: string, facts: SpanFacts, work: () => Promise<T>): Promise<T> {
  const step = findSpan()?.begin(name, facts)
  return step ? endAfter(step, work) : work()
}

/** Does work in a span and ends it with that. */
export async function endAfter<T>(span: Span | undefined, work: () => Promise<T>): Promise<T> {
  try {
    const result = await runInSpan(span, work)
    span?.end()
    return result
  } catch (error) {
    span?.end({}, error)
    throw error
  }
}
