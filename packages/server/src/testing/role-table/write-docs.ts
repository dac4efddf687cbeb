// Writes docs/role-table.md from the table: node packages/server/src/testing/role-table/write-docs.ts
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeRoleTable } from './role-table.ts'

writeFileSync(join(import.meta.dirname, '../../../../../docs/role-table.md'), writeRoleTable())
