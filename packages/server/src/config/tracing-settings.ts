import { z } from 'zod'
import { ConfigError, type ReadOne } from './config-error.ts'
import { isLoopback } from './is-loopback.ts'

/** Where traces go, and how many of them. */
export interface TracingSettings {
  /** Of the collector, with the path for traces. */
  url: string
  /** What the collector wants to see, by name; secrets. */
  headers: Record<string, string>
  serviceName: string
  /** Of the traces that begin here, from 0 to 1. */
  ratio: number
  /** Whether a trace that a trusted proxy began is kept or left out as the proxy says. */
  followsParent: boolean
}

const ENDPOINT = 'OTEL_EXPORTER_OTLP_ENDPOINT'
const HEADERS = 'OTEL_EXPORTER_OTLP_HEADERS'
const PROTOCOL = 'OTEL_EXPORTER_OTLP_PROTOCOL'
const NAME = 'OTEL_SERVICE_NAME'
const SAMPLER = 'OTEL_TRACES_SAMPLER'
const SAMPLER_ARG = 'OTEL_TRACES_SAMPLER_ARG'
const DISABLED = 'OTEL_SDK_DISABLED'

export const TRACING_SECRETS: readonly string[] = [HEADERS]
const KNOWN = [ENDPOINT, HEADERS, `${HEADERS}_FILE`, PROTOCOL, NAME, SAMPLER, SAMPLER_ARG, DISABLED]
const SAMPLERS = ['always_on', 'traceidratio', 'parentbased_always_on', 'parentbased_traceidratio'] as const

const Endpoint = z.string().refine((text) => {
  const url = URL.parse(text)
  if (!url || !['http:', 'https:'].includes(url.protocol)) return false
  return !url.username && !url.password && !url.search && !url.hash
})

/** https://opentelemetry.io/docs/specs/otel/protocol/exporter/#specifying-headers-via-environment-variables */
const Headers = z.string().transform((text, context): Record<string, string> => {
  try {
    const pairs = text.split(',').flatMap((part) => (part.trim() === '' ? [] : [readHeader(part)]))
    return Object.fromEntries(pairs)
  } catch {
    context.addIssue({ code: 'custom' })
    return z.NEVER
  }
})

/** @throws Error for what is no header. */
function readHeader(part: string): [string, string] {
  const [, name = '', value = ''] = /^\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*=\s*(.*?)\s*$/s.exec(part) ?? []
  const plain = decodeURIComponent(value)
  if (name === '' || !/^[\x20-\x7e]+$/.test(plain)) throw new Error('no header')
  return [name, plain]
}

const Ratio = z
  .string()
  .regex(/^(?:0(?:\.\d{1,9})?|1(?:\.0+)?)$/)
  .transform(Number)

/**
 * Variables named as OpenTelemetry's specification has them. Without an endpoint none is looked at: some platforms put them into
 * every program's environment.
 * @returns undefined where nothing is traced. @throws ConfigError
 * @see https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 */
export function readTracing(
  environment: Readonly<Record<string, string | undefined>>,
  read: ReadOne,
): TracingSettings | undefined {
  const endpoint = read<string | undefined>(
    ENDPOINT,
    Endpoint,
    'an address such as http://127.0.0.1:4318 is expected',
    undefined,
  )
  if (endpoint === undefined) return undefined
  if (read(DISABLED, z.enum(['true', 'false']), 'true or false is expected', 'false') === 'true') return undefined
  for (const [name, value] of Object.entries(environment))
    if (name.startsWith('OTEL_') && value && !KNOWN.includes(name))
      throw new ConfigError(`${name} is set, but this version does not support it beside ${ENDPOINT}`)
  read(PROTOCOL, z.literal('http/json'), 'http/json is expected: this version speaks no other', 'http/json')
  const headers = read(HEADERS, Headers, 'name=value, separated by commas, is expected', {})
  const { protocol, hostname } = new URL(endpoint)
  if (protocol === 'http:' && !isLoopback(hostname) && Object.keys(headers).length > 0)
    throw new ConfigError(`${HEADERS} is set, but ${ENDPOINT} is another machine without TLS: use https`)
  const sampler = read(SAMPLER, z.enum(SAMPLERS), `one of ${SAMPLERS.join(', ')} is expected`, 'parentbased_always_on')
  const ratio = read(SAMPLER_ARG, Ratio, 'a number from 0 to 1 is expected', 1)
  return {
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    headers,
    serviceName: read(
      NAME,
      z.string().regex(/^[\x21-\x7e]{1,100}$/),
      '1 to 100 signs without blanks are expected',
      'proofdesk',
    ),
    ratio: sampler.endsWith('traceidratio') ? ratio : 1,
    followsParent: sampler.startsWith('parentbased_'),
  }
}
