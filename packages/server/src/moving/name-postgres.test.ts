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

test('22.5 this machine is one place in whatever way it is written, and where no host is named it is that of PGHOST', (t) => {
  for (const host of ['localhost', '127.0.0.1', '[::1]', 'LOCALHOST', '']) {
    for (const other of ['localhost', '127.0.0.1', '[::1]'])
      assert.equal(isNameOf(namePostgres(`postgres://${host}/pd`), `postgres://${other}:5432/pd`), true, host)
    assert.equal(isNameOf(namePostgres(`postgres://${host}/pd`), 'postgres://127.0.0.2/pd'), false)
    assert.equal(isNameOf(namePostgres(`postgres://${host}/pd`), 'postgres://localhost/other'), false)
  }
  assert.equal(isNameOf(namePostgres('postgres://DB.test/pd'), 'postgres://db.test/pd'), true)
  const before = process.env['PGHOST']
  t.after(() => {
    if (before === undefined) delete process.env['PGHOST']
    else process.env['PGHOST'] = before
  })
  process.env['PGHOST'] = 'db'
  assert.equal(namePostgres('postgres:///pd'), 'the PostgreSQL database pd at db:5432')
  assert.equal(isNameOf('the PostgreSQL database pd at db', 'postgres:///pd'), true)
  assert.equal(isNameOf('the PostgreSQL database pd at localhost', 'postgres:///pd'), false)
})
