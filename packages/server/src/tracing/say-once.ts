import type { SpanExporter } from '@opentelemetry/sdk-trace'
import { nameFailure, type Logger } from '../logger.ts'

/** The same exporter, which says when it begins to fail and when it no longer does, and nothing in between. */
export function sayOnce(exporter: SpanExporter, logger: Logger): SpanExporter {
  let isFailing = false
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const { error } = result
        if (error !== undefined && !isFailing)
          logger.warn('traces do not reach the collector', { reason: nameReason(error) })
        if (error === undefined && isFailing) logger.info('traces reach the collector again')
        isFailing = error !== undefined
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
  }
}

/** An HTTP status where there was an answer. */
function nameReason(error: Error): string {
  const { code } = error as { code?: unknown }
  return typeof code === 'number' ? `HTTP ${code}` : nameFailure(error)
}
