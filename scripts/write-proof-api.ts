// Writes packages/proof/API.md: node scripts/write-proof-api.ts
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PROOF } from './proof-package/compile-proof.ts'
import { describeApi } from './proof-package/describe-api.ts'

const folder = mkdtempSync(join(tmpdir(), 'proofdesk-proof-'))
try {
  writeFileSync(join(PROOF, 'API.md'), describeApi(folder))
} finally {
  rmSync(folder, { recursive: true })
}
