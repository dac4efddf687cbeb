import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { ConfigError } from './config-error.ts'
import { readConfig, type Environment } from './config.ts'

const read = (environment: Environment) => readConfig(environment, '/srv/proofdesk')

test('9.35 a database elsewhere is reached encrypted and checked, unless the address says otherwise', () => {
  const urlOf = (DATABASE_URL: string) => read({ DATABASE_URL }).databaseUrl
  assert.equal(urlOf('postgres://u:p@db/proof'), 'postgres://u:p@db/proof?sslmode=verify-full')
  assert.equal(
    urlOf('postgres://u@10.0.0.5/p?application_name=x'),
    'postgres://u@10.0.0.5/p?application_name=x&sslmode=verify-full',
  )
  for (const here of [
    'postgres://u:p@127.0.0.1:5433/proof',
    'postgres://u:p@[::1]/proof',
    'postgres://localhost/proof',
    'postgres:///proof?host=/run/postgresql',
    'postgres://%2Frun%2Fpostgresql/proof',
    'postgres://u:p@db/proof?sslmode=disable',
    'postgres://u:p@db/proof?sslmode=require',
  ])
    assert.equal(urlOf(here), here)
  for (const mode of ['prefer', 'allow', '', 'yes'])
    assert.throws(
      () => urlOf(`postgres://u:s3cret@db/proof?sslmode=${mode}`),
      (error: Error) => {
        assert.match(error.message, /^DATABASE_URL is wrong: .*verify-full.*disable is expected$/)
        return !error.message.includes('s3cret')
      },
    )
})

test('9.35 no way to write a database’s address makes another machine one that is reached in clear', () => {
  const urlOf = (DATABASE_URL: string) => read({ DATABASE_URL }).databaseUrl
  // What counts is what the driver reads out of the address.
  const sslOf = (text: string) => new pg.Client({ connectionString: urlOf(text) }).ssl
  for (const text of [
    'postgres://u:p@db/proof?',
    'postgres://u:p@db/proof?&',
    'postgres://u:p@db/proof?host=',
    'postgres://localhost/proof?host=db',
    'postgres://u:p%40@db/proof?application_name=a%20b&',
  ])
    assert.deepEqual(sslOf(text), {}, text)
  assert.equal(urlOf('postgres://u:p^%40@db/proof?'), 'postgres://u:p^%40@db/proof?sslmode=verify-full')
  assert.equal(
    read({ DATABASE_URL: 'postgres:///proof', PGHOST: 'db' }).databaseUrl,
    'postgres:///proof?sslmode=verify-full',
  )
  for (const [text, why] of [
    ['postgres://u:s3cret@db/proof#', /^DATABASE_URL is wrong: .*#.*%23/],
    ['postgres://u:1#s3cret@db/proof', /^DATABASE_URL is wrong: .*#.*%23/],
    ['postgres://u:s3cret@db/proof?sslmode=verify-full#x', /^DATABASE_URL is wrong: .*#.*%23/],
    ['postgres://u:s3cret@db/proof?sslmode=verify-full&sslmode=disable', /^DATABASE_URL is wrong: sslmode .*twice/],
    ['postgres://u:s3cret@db/proof?host=localhost&host=db', /^DATABASE_URL is wrong: host .*twice/],
  ] as const)
    assert.throws(
      () => urlOf(text),
      (error: Error) => error instanceof ConfigError && why.test(error.message) && !error.message.includes('s3cret'),
    )
})
