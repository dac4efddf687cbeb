import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig, type Environment } from './config.ts'

const read = (environment: Environment) => readConfig(environment, '/srv/proofdesk')

test('21.2 several processes need PostgreSQL', () => {
  const databaseUrl = 'postgres://u:p@localhost/proofdesk'
  assert.equal(read({}).webConcurrency, 1)
  assert.equal(read({ WEB_CONCURRENCY: '3', DATABASE_URL: databaseUrl }).webConcurrency, 3)
  assert.throws(
    () => read({ WEB_CONCURRENCY: '2' }),
    /^ConfigError: WEB_CONCURRENCY is more than 1, which needs PostgreSQL/,
  )
  for (const wrong of ['0', '65', '-1', '1.5', 'auto'])
    assert.throws(
      () => read({ WEB_CONCURRENCY: wrong, DATABASE_URL: databaseUrl }),
      /^ConfigError: WEB_CONCURRENCY is wrong/,
    )
})
