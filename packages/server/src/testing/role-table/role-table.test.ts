import { nameRoute, ROUTES } from '@proofdesk/contract/routes'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ENGINES, startTestServer } from '../../testing.ts'
import { playCell, playCellUnverified } from './play-row.ts'
import { ROLE_NAMES } from './role-row.ts'
import { MAIL_ROWS } from './user-rows.ts'
import { nameRow, ROLE_TABLE, writeRoleTable } from './role-table.ts'

const ROWS = ROLE_TABLE.flatMap(({ rows }) => rows)

test('every call stands in the role table', () => {
  const listed = new Set(ROWS.map(({ route }) => route))
  assert.deepEqual(
    ROUTES.filter(({ route }) => !listed.has(route)).map(
      ({ route }) => `${nameRoute(route)} has no row: add one to a file of packages/server/src/testing/role-table/`,
    ),
    [],
  )
})

test('no row of the role table stands there twice', () => {
  const names = ROWS.map(nameRow)
  assert.deepEqual(
    names.filter((name, at) => names.indexOf(name) !== at),
    [],
  )
})

test('docs/role-table.md is the role table', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../../docs/role-table.md'), 'utf8')
  assert.ok(
    page === writeRoleTable(),
    'docs/role-table.md is stale: node packages/server/src/testing/role-table/write-docs.ts writes it anew',
  )
})

test('without a verified e-mail a role does nothing that an ordinary user without one may not', async (t) => {
  const server = await startTestServer(t, 'sqlite', { logLevel: 'error' })
  const isDone = (status = 0) => status < 300
  // Whoever waits for their own verification mail may find out why it does not come.
  const rows = ROWS.filter(({ route }) => !MAIL_ROWS.some((row) => row.route === route))
  for (const row of rows)
    for (const role of ['staff', 'admin', 'superuser'] as const) {
      const status = await playCellUnverified(server, row, role)
      const [, unverified, , other] = row.statuses
      if (!isDone(unverified) && !isDone(other)) assert.ok(!isDone(status), `${nameRow(row)}: ${role} ${status}`)
    }
})

for (const engine of ENGINES) {
  test(`4.36 6.2 6.4 6.10 6.17 6.18 6.31 6.40 6.41 each role is answered as the role table says, and what is refused changes nothing (${engine})`, async (t) => {
    const server = await startTestServer(t, engine, { logLevel: 'error' })
    for (const row of ROWS) {
      await t.test(nameRow(row), async () => {
        const answered: Record<string, number> = {}
        for (const role of ROLE_NAMES) answered[role] = await playCell(server, row, role)
        assert.deepEqual(answered, Object.fromEntries(ROLE_NAMES.map((role, at) => [role, row.statuses[at]])))
      })
    }
  })
}
