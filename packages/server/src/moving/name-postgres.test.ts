import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isNameOf, namePostgres } from './name-postgres.ts'

test('22.5 a place without a port is the one at the usual port', () => {
  const usual = [
    'postgres://a:b@db/pd',
    'postgres://db:5432/pd',
    'postgres:///pd?host=db',
    'postgres://db:1/pd?port=5432',
  ]
  for (const url of usual) {
    assert.equal(namePostgres(url), 'the PostgreSQL database pd at db:5432')
    assert.equal(isNameOf('the PostgreSQL database pd at db', url), true)
    assert.equal(isNameOf('the PostgreSQL database pd at db:5432', url), true)
    assert.equal(isNameOf('the PostgreSQL database pd at db:5433', url), false)
  }
  assert.equal(isNameOf('the PostgreSQL database pd at db', 'postgres://db:5433/pd'), false)
  assert.equal(isNameOf('the PostgreSQL database pd at db:5433', 'postgres://db:5433/pd'), true)
})
