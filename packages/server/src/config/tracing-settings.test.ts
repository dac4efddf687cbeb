import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig, type Environment } from './config.ts'

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }
const read = (environment: Environment) => readConfig(environment, '/srv').tracing

test('17.26 nothing is traced, and no other setting of it is looked at, where no collector is set', () => {
  assert.equal(read({}), undefined)
  assert.equal(
    read({ OTEL_TRACES_SAMPLER: 'nonsense', OTEL_METRICS_EXPORTER: 'otlp', OTEL_SERVICE_NAME: 'a b' }),
    undefined,
  )
  assert.equal(read({ ...ENDPOINT, OTEL_SDK_DISABLED: 'true', OTEL_METRICS_EXPORTER: 'otlp' }), undefined)
})

test('17.26 the settings of OpenTelemetry say where traces go, and how many of them', () => {
  const usual = {
    url: 'http://127.0.0.1:4318/v1/traces',
    headers: {},
    serviceName: 'proofdesk',
    ratio: 1,
    followsParent: true,
  }
  assert.deepEqual(read(ENDPOINT), usual)
  assert.deepEqual(
    read({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example/otlp/',
      OTEL_EXPORTER_OTLP_HEADERS: ' x-team = proof%2C%20desk ,authorization=Basic%20eA==',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_SERVICE_NAME: 'desk-2',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.05',
      OTEL_SDK_DISABLED: 'false',
    }),
    {
      url: 'https://collector.example/otlp/v1/traces',
      headers: { 'x-team': 'proof, desk', authorization: 'Basic eA==' },
      serviceName: 'desk-2',
      ratio: 0.05,
      followsParent: false,
    },
  )
  // An argument that its sampler does not have.
  assert.equal(read({ ...ENDPOINT, OTEL_TRACES_SAMPLER: 'always_on', OTEL_TRACES_SAMPLER_ARG: '0.5' })?.ratio, 1)
})

test('17.26 what this version does not honour is refused where a collector is set, without a secret', () => {
  const far = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318' }
  const wrong: [Environment, RegExp][] = [
    [{ ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /^OTEL_EXPORTER_OTLP_PROTOCOL is wrong: http\/json/],
    [
      { ...ENDPOINT, OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip' },
      /^OTEL_EXPORTER_OTLP_COMPRESSION is set, but this version/,
    ],
    [{ ...ENDPOINT, OTEL_RESOURCE_ATTRIBUTES: 'a=b' }, /^OTEL_RESOURCE_ATTRIBUTES is set, but this version/],
    [{ ...ENDPOINT, OTEL_TRACES_SAMPLER: 'always_off' }, /^OTEL_TRACES_SAMPLER is wrong: one of always_on/],
    [{ ...ENDPOINT, OTEL_TRACES_SAMPLER_ARG: '1.5' }, /^OTEL_TRACES_SAMPLER_ARG is wrong/],
    [{ ...ENDPOINT, OTEL_SERVICE_NAME: 'a b' }, /^OTEL_SERVICE_NAME is wrong/],
    [{ ...ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS: 'hush' }, /^OTEL_EXPORTER_OTLP_HEADERS is wrong/],
    [{ ...ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS: 'a=hush%0d%0ab' }, /^OTEL_EXPORTER_OTLP_HEADERS is wrong/],
    [{ ...ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS: 'a=%zz' }, /^OTEL_EXPORTER_OTLP_HEADERS is wrong/],
    [
      { ...far, OTEL_EXPORTER_OTLP_HEADERS: 'a=hush' },
      /^OTEL_EXPORTER_OTLP_HEADERS is set, but .* without TLS: use https/,
    ],
  ]
  for (const address of ['127.0.0.1:4318', 'grpc://c.example', 'https://u:p@c.example', 'https://c.example?a=b'])
    wrong.push([{ OTEL_EXPORTER_OTLP_ENDPOINT: address }, /^OTEL_EXPORTER_OTLP_ENDPOINT is wrong: an address such as/])
  for (const [environment, message] of wrong)
    assert.throws(
      () => read(environment),
      (error: Error) => {
        assert.match(error.message, message)
        assert.doesNotMatch(error.message, /hush|\n/)
        return error.name === 'ConfigError'
      },
    )
  assert.equal(read(far)?.url, 'http://collector.example:4318/v1/traces')
})
