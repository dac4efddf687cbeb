import { nameRoute, ROUTES } from '@proofdesk/contract/routes'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ENGINES, startTestServer } from '../../testing.ts'
import { playCell } from './play-row.ts'
import { ROLE_NAMES } from './role-row.ts'
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

for (const engine of ENGINES) {
  test(`each role is answered as the role table says (${engine})`, async (t) => {
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
